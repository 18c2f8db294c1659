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
  expect(out).toMatch(/^ {2}info +lists/m);
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
  [["help", "rum"], 'clkit: There is no command "rum". Did you mean "run"?\n'],
  [["help", "--json"], "clkit: There is no option --json before a command.\n"],
  [["ifno"], 'clkit: There is no command "ifno". Did you mean "info"?\n"clkit --help" says what there is.\n'],
  [["nothing-like-it"], 'clkit: There is no command "nothing-like-it".\n'],
  [["toString"], 'clkit: There is no command "toString".\n'],
  [["--json", "info"], "clkit: There is no option --json before a command.\n"],
  [["info", "--halp"], 'clkit info: There is no option --halp. Did you mean --help?\n"clkit info --help" says'],
  [["info", "--toString"], "clkit info: There is no option --toString.\n"],
  [["info", "-z"], "clkit info: There is no option -z.\n"],
  [["info", "--help=yes"], 'clkit info: --help takes no value, received "yes".\n'],
  [["info", "more"], 'clkit info: clkit info does not know what to do with "more".\n'],
])("%j is rejected with a message and exit code 2", async (args, sentence) => {
  const { code, out, err } = await call(args);
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err.startsWith(sentence), err).toBe(true);
});

test.each(["-1", "-.5", "-inf", "-a b"])("%s is an argument, not an option", async (word) => {
  const { code, err } = await call(["info", word]);
  expect([code, err.split("\n")[0]]).toEqual([2, `clkit info: clkit info does not know what to do with "${word}".`]);
});

test("help has colors if enabled, and no escape sequences otherwise", async () => {
  expect((await call(["--help"], { color: true })).out).toContain("\u001B[36m");
  expect((await call(["--help"])).out).not.toContain("\u001B");
});
