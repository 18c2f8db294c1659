import { textParts, tokenize } from "@cl/base";
import { describe, expect, test } from "vitest";

function textsOf(text: string): string[] {
  return tokenize(text).map((token) => token.text);
}

describe("tokenize", () => {
  test.each([
    ["a+b", ["a", "+", "b"]],
    ["a+++b", ["a", "++", "+", "b"]],
    ["p->x.y", ["p", "->", "x", ".", "y"]],
    ["a<<=b>>c", ["a", "<<=", "b", ">>", "c"]],
    ["1.5e-3f + .5 - 0x1p+3", ["1.5e-3f", "+", ".5", "-", "0x1p+3"]],
    ["x.5", ["x", ".5"]],
    ["f(...)", ["f", "(", "...", ")"]],
    ["a/* b */c// d", ["a", "c"]],
    ["a // b \\\n c\nd", ["a", "d"]],
    ["typ\\\nedef flo\\\r\nat", ["typedef", "float"]],
    ["a \\\n b", ["a", "b"]],
    ["u<:i:> = <% 0 %>", ["u", "[", "i", "]", "=", "{", "0", "}"]],
    ['s = "a\\"b /* c */"', ["s", "=", '"a\\"b /* c */"']],
    ["'\\''", ["'\\''"]],
    ["größe $a", ["größe", "$a"]],
    ['"open\nb', ['"open', "b"]],
    ["a /* open", ["a"]],
    ["#include <a//b.h>", ["#", "include", "<a//b.h>"]],
    ["a < b > c", ["a", "<", "b", ">", "c"]],
    ["@`\\", ["@", "`", "\\"]],
  ])("splits %j", (text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });

  test("returns the kind and position of each token", () => {
    expect(tokenize("x <:\n 1")).toEqual([
      { kind: "word", text: "x", start: 0, end: 1, startsLine: true },
      { kind: "punctuation", text: "[", start: 2, end: 4, startsLine: false },
      { kind: "number", text: "1", start: 6, end: 7, startsLine: true },
    ]);
    const [divided, literal] = tokenize("a\\\nb 'c'");
    expect(divided).toMatchObject({ text: "ab", start: 0, end: 4 });
    expect(literal).toMatchObject({ kind: "literal", start: 5, end: 8 });
  });
});

describe("textParts", () => {
  test("separates directives from code", () => {
    const { code, macros } = textParts(
      "#pragma once\nint a; // #define NO 1\n#define TWICE(x) \\\n  (2 * x)\n/*\n#define NO 2\n*/\nint b = TWICE(1);\n  #  define LAST",
    );
    expect(code.map(({ text }) => text).join(" ")).toBe("int a ; int b = TWICE ( 1 ) ;");
    expect([...macros.keys()]).toEqual(["TWICE", "LAST"]);
    expect(macros.get("TWICE")?.map(({ text }) => text)).toEqual(["(", "x", ")", "(", "2", "*", "x", ")"]);
    expect(macros.get("LAST")).toEqual([]);
  });

  test("collects a macro's replacements from all branches of a condition", () => {
    const { macros } = textParts("#if A\n#define M a\n#else\n#define M b\n#endif");
    expect(macros.get("M")?.map(({ text }) => text)).toEqual(["a", "b"]);
  });
});
