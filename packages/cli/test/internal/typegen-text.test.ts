import * as fc from "fast-check";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";

import { globExpression } from "../../src/commands/typegen/glob.js";
import { moduleText } from "../../src/commands/typegen/module-text.js";
import { signaturesOf } from "../../src/commands/typegen/signatures.js";

/** Evaluates the template literal of a module. */
function valueIn(text: string): unknown {
  const [, literal] = /^export const source[^=]* = \/\* opencl \*\/ (`.*`)(?: as .*)?;\n$/ms.exec(text) ?? [];
  return runInNewContext(literal ?? "undefined");
}

describe("a module", () => {
  test("preserves any source text", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "`",
        "${",
        "$",
        "\\",
        "\\\\",
        "\r\n",
        "\r",
        "\n",
        "*/",
        "{",
        "}",
        '"',
        "'",
        "\u2028",
        "` as const;\n",
      ),
    );
    fc.assert(
      fc.property(fc.array(part), fc.boolean(), (parts, signatures) => {
        const source = parts.join("");
        expect(valueIn(moduleText({ file: "a.cl", source, signatures }).text)).toBe(source);
      }),
    );
  });

  test("is valid for any file name", () => {
    const { text } = moduleText({ file: "*/ x\n`${.cl", source: "kernel void f() {}", signatures: false });
    expect(text.split("\n")[0]).toBe('// Made by clkit typegen from "*/ x\\n`${.cl": change that file, not this one.');
    expect(text).not.toMatch(/^\/\*\*.*\*\/ x/m);
  });
});

describe("signatures", () => {
  test.each([
    [
      "bodies and comments are removed",
      'kernel void f(int a) { /* } */ if (a) { b("}"); } } // x',
      "kernel void f(int a) {}\n",
    ],
    ["directives in bodies stay", "void f() {\n  #define A 1\n  a();\n}", "void f() {\n#define A 1\n}\n"],
    [
      "a typedef keeps its directives",
      "typedef struct { int a;\n#if A\nint b;\n#endif\n} s;",
      "typedef struct {\n#if A\n#endif\n} s;\n",
    ],
    [
      "an enumeration keeps its values",
      "typedef enum mode\n{ A, B = 1UL\n} mode;",
      "typedef enum mode\n{ A, B = 1UL\n} mode;\n",
    ],
    ["an open literal ends with its line", "#error don't\nf() { a; }", '#error don""\nf() {}\n'],
    ["question marks in comments are ignored", "// why??\nf() { 'a'; /* %: ??= */ }", "f() {}\n"],
    ["types in bodies stay", "void f() { typedef int t; }", "void f() { typedef int t; }\n"],
    ["lines are joined", "#define A \\\n  1\nkernel void f(int a);", "#define A 1\nkernel void f(int a);\n"],
    ["identifiers that contain keywords are not keywords", "void f() { my_kernel_size = 1; }", "void f() {}\n"],
    ["initial values go", "constant int a[] = {1, 2};\nstruct s { int a; };", "constant int a[] = {};\nstruct s {};\n"],
    [
      "branches with unbalanced braces keep everything",
      "#if A\nf() {\n#else\ng() {\n#endif\n}",
      "#if A\nf() {\n#else\ng() {\n#endif\n}\n",
    ],
    ["an open bracket keeps everything", "f() { a", "f() { a\n"],
    ["a closing bracket alone, too", "} f() { a }", "} f() { a }\n"],
  ])("%s", (_, source, expected) => {
    expect(signaturesOf(source)).toBe(expected);
  });

  test.each(["// a ??/ b", "a ??( b", "'??''", "%: define A", "/* open", "a \\ b", "a\rb"])(
    "%j has no reliable signatures",
    (source) => {
      expect(signaturesOf(source)).toBeUndefined();
    },
  );
});

describe("patterns", () => {
  test.each([
    ["a/*.cl", ["a/b.cl", "a/.cl"], ["a/b/c.cl", "a/bxcl", "b.cl"]],
    ["a/**/*.cl", ["a/b.cl", "a/b/c/d.cl"], ["b.cl", "a/b.h"]],
    ["**", ["a", "a/b/c"], []],
    ["{a,b}/?[x-z][!x].cl", ["a/1xy.cl", "b/_z1.cl"], ["c/1xy.cl", "a/1ay.cl", "a/1xx.cl"]],
    ["a+(b).cl", ["a+(b).cl"], ["aab.cl"]],
  ])("%s", (pattern, matches, others) => {
    const expression = globExpression(pattern);
    expect(matches.filter((name) => !expression.test(name))).toEqual([]);
    expect(others.filter((name) => expression.test(name))).toEqual([]);
  });
});
