/** Extraction of prose from source files. */
import { describe, expect, test } from "vitest";

import { proseOf } from "../../../scripts/prose/prose-of.mjs";

const words = (text: string, file: string): string[] => proseOf(text, file).match(/[A-Za-z]+/g) ?? [];

describe("the prose of a TypeScript file", () => {
  test("is its comments and error messages", () => {
    const source = `
/** Returns the \`size\` of {@link Pool}. */
const text = "not shown"; // a remark
throw typeError("size", \`a number \${text} here\`, value);
throw new RangeError("too large");`;
    expect(words(source, "a.ts").join(" ")).toBe("Returns the of a remark size a number here too large");
  });

  test("keeps its position", () => {
    const source = 'const a = "é𝄞"; // here\n  // there';
    expect(proseOf(source, "a.mjs").indexOf("here")).toBe(source.indexOf("here"));
    expect(proseOf(source, "a.mjs")).toHaveLength(source.length);
  });
});

test("the prose of a C++ file is its comments", () => {
  const source = 'const char* a = "// not shown"; // shown\n/* as\n this */ char c = \'"\';';
  expect(words(source, "a.cc")).toEqual(["shown", "as", "this"]);
});
