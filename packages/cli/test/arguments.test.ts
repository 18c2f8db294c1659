import { expect, test } from "vitest";

import { call } from "./support/clkit.js";

test("without a command, the help is printed to stderr and the exit code is 2", async () => {
  expect(await call([])).toEqual({ code: 2, out: "", err: expect.stringContaining("clkit COMMAND") });
});

test.each([
  ["--help", /^ {2}info +list/m],
  ["-h", /^ {2}info +list/m],
  ["--version", /^\d+\.\d+\.\d+\n$/],
  ["-V", /^\d+\.\d+\.\d+\n$/],
  ["info --help", /^Usage: clkit info[^]*-h, --help/],
  ["info -h", /^Usage: clkit info/],
])("%s prints to stdout", async (args, text) => {
  expect(await call(args.split(" "))).toEqual({ code: 0, out: expect.stringMatching(text), err: "" });
});

test.each([
  ["help", "--help"],
  ["help help", "--help"],
  ["help --help", "--help"],
  ["help run", "run --help"],
])("%s prints the same as %s", async (args, options) => {
  const result = await call(args.split(" "));
  expect(result.code).toBe(0);
  expect(result).toEqual(await call(options.split(" ")));
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

test.each(["-1", "-inf", "-a b"])("%s is an argument, not an option", async (word) => {
  expect((await call(["info", word])).err).toContain(`Unexpected argument "${word}"`);
});

test("help has colors if enabled, and no escape sequences otherwise", async () => {
  expect((await call(["--help"], { color: true })).out).toContain("\u001B[36m");
  expect((await call(["--help"])).out).not.toContain("\u001B");
});
