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
])("splits %j like a shell", (text, words) => {
  expect(splitWords(text, "options")).toEqual(words);
});

test("joins a flag with its value into one word, and quotes values with spaces", () => {
  expect(writeOptions(readOptions(["-D", "A=1 2", "-I", "/a b", "-cl-mad-enable", "", "-DN"], ""))).toBe(
    '-DA="1 2" -I"/a b" -cl-mad-enable -DN',
  );
});

test("reads formatted options back unchanged", () => {
  const word = stringMatching(/^-D[A-Z]+=[a-z0-9 "()+.*]*[a-z0-9"]$/);
  assert(
    property(array(word), (words) => {
      const normal = readOptions(words, "");
      expect(readOptions(writeOptions(normal), "")).toEqual(normal);
    }),
  );
});
