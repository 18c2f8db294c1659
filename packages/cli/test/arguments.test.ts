import { expect, test } from "vitest";

import { call } from "./support/clkit.js";

test("without a command, the help is printed to stderr and the exit code is 2", async () => {
  const { code, out, err } = await call([]);
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err).toContain("clkit COMMAND");
});

test.each(["--help", "-h"])("%s lists the commands on stdout", async (option) => {
  const { code, out, err } = await call([option]);
  expect(code).toBe(0);
  expect(out).toMatch(/^ {2}info +list/m);
  expect(err).toBe("");
});

test.each(["--version", "-V"])("%s prints the version", async (option) => {
  const { code, out } = await call([option]);
  expect(code).toBe(0);
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(["--help", "-h"])("a command with %s prints its options", async (option) => {
  const { code, out, err } = await call(["info", option]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: clkit info/);
  expect(out).toMatch(/-h, --help/);
  expect(err).toBe("");
});

test.each([
  [["help"], ["--help"]],
  [["help", "help"], ["--help"]],
  [["help", "--help"], ["--help"]],
  [
    ["help", "run"],
    ["run", "--help"],
  ],
])("%j prints the same as %j", async (args, options) => {
  const result = await call(args);
  expect(result.code).toBe(0);
  expect(result).toEqual(await call(options));
});

test.each([
  [["help", "rum"], 'clkit: Unknown command "rum". Did you mean "run"?\n'],
  [["help", "--json"], "clkit: Unknown option --json.\n"],
  [["ifno"], 'clkit: Unknown command "ifno". Did you mean "info"?\nRun "clkit --help" for usage.\n'],
  [["nothing-like-it"], 'clkit: Unknown command "nothing-like-it".\n'],
  [["toString"], 'clkit: Unknown command "toString".\n'],
  [["--json", "info"], "clkit: Unknown option --json.\n"],
  [["info", "--halp"], 'clkit info: Unknown option --halp. Did you mean --help?\nRun "clkit info --help" for usage.\n'],
  [["info", "--toString"], "clkit info: Unknown option --toString.\n"],
  [["info", "-z"], "clkit info: Unknown option -z.\n"],
  [["info", "--help=yes"], 'clkit info: --help does not take a value, received "yes".\n'],
  [["info", "more"], 'clkit info: Unexpected argument "more".\n'],
])("%j is rejected with a message and exit code 2", async (args, sentence) => {
  const { code, out, err } = await call(args);
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err.startsWith(sentence), err).toBe(true);
});

test.each(["-1", "-.5", "-inf", "-a b"])("%s is an argument, not an option", async (word) => {
  const { code, err } = await call(["info", word]);
  expect([code, err.split("\n")[0]]).toEqual([2, `clkit info: Unexpected argument "${word}".`]);
});

test("help has colors if enabled, and no escape sequences otherwise", async () => {
  expect((await call(["--help"], { color: true })).out).toContain("\u001B[36m");
  expect((await call(["--help"])).out).not.toContain("\u001B");
});
