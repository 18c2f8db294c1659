import { expect, test } from "vitest";
import type { Device } from "../../src/platform/device.js";
import { excerpt, readDiagnostics, withoutWarnings } from "../../src/program/build-diagnostics.js";
import { BuildError } from "../../src/program/build-error.js";

const device = {} as Device;
const read = (log: string): object[] => readDiagnostics(device, log);

test.each([
  [
    "clang",
    "/tmp/a-1.cl:3:14: error: no such thing: x",
    { severity: "error", file: "/tmp/a-1.cl", line: 3, column: 14, message: "no such thing: x" },
  ],
  [
    "NVIDIA",
    "<kernel>:12:5: warning: unused",
    { severity: "warning", file: "<kernel>", line: 12, column: 5, message: "unused" },
  ],
  ["Intel", "1:13:4: error: undeclared", { severity: "error", file: "1", line: 13, column: 4, message: "undeclared" }],
  [
    "Intel on Windows",
    "C:\\t\\a.cl:13:4: fatal error: gone",
    { severity: "error", file: "C:\\t\\a.cl", line: 13, column: 4, message: "gone" },
  ],
  [
    "Apple",
    "<program source>:2:3: note: declared here",
    { severity: "note", file: "<program source>", line: 2, column: 3, message: "declared here" },
  ],
  [
    "clang with ranges",
    "a.cl:2:3:{2:1-2:9}: error: bad",
    { severity: "error", file: "a.cl", line: 2, column: 3, message: "bad" },
  ],
  [
    "PoCL",
    "error: /c/tempfile_x.cl:1:8: unknown type",
    { severity: "error", file: "/c/tempfile_x.cl", line: 1, column: 8, message: "unknown type" },
  ],
  [
    "PoCL without a file",
    "error: 1:2: expected",
    { severity: "error", file: "", line: 1, column: 2, message: "expected" },
  ],
  [
    "PoCL in a macro",
    "error: t.cl:1:21 <Spelling=<command line>:5:11>: expected expression",
    { severity: "error", file: "t.cl", line: 1, column: 21, message: "expected expression" },
  ],
  [
    "old AMD",
    '"/tmp/OCL.cl", line 7: error: identifier "y" is undefined',
    { severity: "error", file: "/tmp/OCL.cl", line: 7, column: 0, message: 'identifier "y" is undefined' },
  ],
  [
    "a linker",
    "error: undefined reference to `f'",
    { severity: "error", file: "", line: 0, column: 0, message: "undefined reference to `f'" },
  ],
  [
    "ptxas that ends",
    "ptxas fatal   : Unresolved extern function 'f'",
    { severity: "error", file: "", line: 0, column: 0, message: "Unresolved extern function 'f'" },
  ],
  [
    "PoCL's linker output",
    "Cannot find symbol f in kernel library",
    { severity: "error", file: "", line: 0, column: 0, message: "Cannot find symbol f in kernel library" },
  ],
  [
    "PoCL's options check",
    "Invalid build option: -x",
    { severity: "error", file: "", line: 0, column: 0, message: "Invalid build option: -x" },
  ],
  [
    "ptxas",
    "ptxas error   : too much shared data",
    { severity: "error", file: "", line: 0, column: 0, message: "too much shared data" },
  ],
])("parses a message of %s", (_who, line, expected) => {
  expect(read(line)).toEqual([{ device, ...expected }]);
});

test("ignores lines that are not messages, and duplicates", () => {
  expect(read("1 error generated.\nerror: a.cl:1:1: x\nerror: a.cl:1:1: x\r\n\n   ^~~~\n")).toHaveLength(1);
});

test("an excerpt requires an existing line, and marks only columns within it", () => {
  const at = (line: number, column: number, file = ""): string[] =>
    excerpt({ device, severity: "error", file, line, column, message: "" }, 'one\n#include "other.cl"');
  expect(at(1, 3)).toEqual(["    1 | one", "      |   ^"]);
  expect(at(1, 40)).toEqual(["    1 | one"]);
  expect(at(3, 1)).toEqual([]);
  expect(at(0, 0)).toEqual([]);
  expect(at(1, 1, "folder/other.cl")).toEqual([]);
  expect(at(1, 1, "some.h")).toEqual([]);
});

const failureOf = (...logs: string[]): BuildError => {
  const devices = logs.map((log, i) => [{ name: `device ${i}` } as Device, log] as const);
  return new BuildError({ status: -11, routine: "clBuildProgram", options: "", logs: new Map(devices) });
};

test("leaves out warnings and messages about debug information", () => {
  const noise = [
    "warning: ignoring debug info with an invalid version (0) in other.bc",
    "inlinable function call in a function with debug info must have a !dbg location",
    "  %1 = tail call i32 @f(i32 1)",
    "a.cl:1:1: warning: unused",
  ];
  expect(withoutWarnings(device, ["why it failed", ...noise, ""].join("\n"))).toBe("why it failed");
  const { message, diagnostics } = failureOf(`${`${noise.join("\n")}\n`.repeat(100)}why it failed`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([{ message: "why it failed" }]);
  expect(message).toContain("why it failed");
  expect(message).not.toContain("other.bc");
});

test("a build error whose log cannot be parsed or is empty has one diagnostic with the whole log", () => {
  expect(failureOf("ld: cannot open shared object", "").diagnostics).toMatchObject([
    { severity: "error", line: 0, message: "ld: cannot open shared object" },
  ]);
  expect(failureOf("").diagnostics).toMatchObject([{ severity: "error", line: 0 }]);
  expect(failureOf("a.cl:1:1: error: x", "fine").diagnostics).toHaveLength(1);
});
