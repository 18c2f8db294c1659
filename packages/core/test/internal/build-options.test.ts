import { array, assert, property, stringMatching } from "fast-check";
import { expect, test } from "vitest";
import { readOptions, splitWords, writeOptions } from "../../src/program/build-options.js";

test.each([
  ["", []],
  ["  -DA   -DB\t-DC ", ["-DA", "-DB", "-DC"]],
  ["'-DA=1 2' -D\"B=3 4\"", ["-DA=1 2", "-DB=3 4"]],
  ['-DA=\\"x\\"', ['-DA="x"']],
  ["-DA='\"x y\"'", ['-DA="x y"']],
  ['-DA="say \\"x\\" \\\\"', ['-DA=say "x" \\']],
  ["-I C:\\cl\\include", ["-I", "C:\\cl\\include"]],
  ["-I /a\\ b", ["-I", "/a b"]],
  ["-DEMPTY= ''", ["-DEMPTY=", ""]],
])("%j is split as a shell would", (text, words) => {
  expect(splitWords(text, "options")).toEqual(words);
});

test("a flag and its value become one word, and values with blanks are quoted behind the flag", () => {
  expect(writeOptions(readOptions(["-D", "A=1 2", "-I", "/a b", "-cl-mad-enable", "", "-DN"], ""))).toBe(
    '-DA="1 2" -I"/a b" -cl-mad-enable -DN',
  );
});

test("what is written is read back as the same words", () => {
  const word = stringMatching(/^-D[A-Z]+=[a-z0-9 "()+.*]*[a-z0-9"]$/);
  assert(
    property(array(word), (words) => {
      const normal = readOptions(words, "");
      expect(readOptions(writeOptions(normal), "")).toEqual(normal);
    }),
  );
});
