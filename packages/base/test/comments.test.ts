import { replaceComments, withoutComments } from "@cl/base";
import { assert, property, string, constantFrom, array } from "fast-check";
import { describe, expect, test } from "vitest";

describe("withoutComments", () => {
  test.each([
    ["a /* b */ c", "a         c"],
    ["a // b\nc", "a     \nc"],
    ["a /* b\n c */ d", "a     \n      d"],
    ["a // b \\\n c\nd", "a       \n  \nd"],
    ["a // b \\  \r\n c\nd", "a          \n  \nd"],
    ["a /* b /* c */ d */", "a              d */"],
    ["a /* b // c */ d", "a              d"],
    ["a // b /* c\nd", "a          \nd"],
    ["a /* b", "a     "],
    ["a /", "a /"],
    ["a / b", "a / b"],
    ["/**/a/**/", "    a    "],
    ['"// a" // b', '"// a"     '],
    [String.raw`"\"// a" // b`, String.raw`"\"// a"     `],
    ["'\"' // a '\"'", "'\"'         "],
    ["don't // a\n// b", "don't // a\n    "],
    ['"a\\\n// b" // c', '"a\\\n// b"     '],
    ["#include <a//b.h> // c", "#include <a//b.h>     "],
    ["# include <a/*b.h> /* c */", "# include <a/*b.h>        "],
    ["a < b // c > d", "a < b         "],
  ])("of %j is %j", (text, code) => {
    expect(withoutComments(text)).toBe(code);
  });

  test("keeps every line and column", () => {
    const pieces = constantFrom("/*", "*/", "//", "\n", "\\", '"', "'", "a", " ", "\r\n", "#include <");
    assert(
      property(array(pieces), (words) => {
        const text = words.join("");
        const code = withoutComments(text);
        expect(code.split("\n").map(({ length }) => length)).toEqual(text.split("\n").map(({ length }) => length));
      }),
    );
  });

  test("takes time linear in the length of the text", () => {
    for (const piece of ["/", "*", "/*", '"', "'", "\\", "\\ ", "<", "#include <", " "]) {
      expect(withoutComments(piece.repeat(200_000))).toHaveLength(piece.length * 200_000);
    }
  });
});

test("replaceComments replaces literals if given a function for them", () => {
  const text = `f("a", 'b') /* c */ // d`;
  expect(replaceComments(text, (comment) => `<${comment}>`)).toBe(`f("a", 'b') </* c */> <// d>`);
  const bare = replaceComments(
    text,
    () => "",
    () => '""',
  );
  expect(bare).toBe('f("", "")  ');
  assert(
    property(string(), (any) => {
      expect(replaceComments(any, (comment) => comment)).toBe(any);
    }),
  );
});
