import { expect, test } from "vitest";
import type { Device } from "../../src/platform/device.js";
import { excerpt, readDiagnostics, withoutWarnings } from "../../src/program/build-diagnostics.js";
import { BuildError } from "../../src/program/build-error.js";

const device = {} as Device;
const read = (log: string): object[] => readDiagnostics(device, log);

test.each<[string, string, string, string, number, number, string]>([
  ["clang", "/tmp/a-1.cl:3:14: error: no such thing: x", "error", "/tmp/a-1.cl", 3, 14, "no such thing: x"],
  ["NVIDIA", "<kernel>:12:5: warning: unused", "warning", "<kernel>", 12, 5, "unused"],
  ["Intel", "1:13:4: error: undeclared", "error", "1", 13, 4, "undeclared"],
  ["Intel on Windows", "C:\\t\\a.cl:13:4: fatal error: gone", "error", "C:\\t\\a.cl", 13, 4, "gone"],
  ["Apple", "<program source>:2:3: note: declared here", "note", "<program source>", 2, 3, "declared here"],
  ["clang with ranges", "a.cl:2:3:{2:1-2:9}: error: bad", "error", "a.cl", 2, 3, "bad"],
  ["PoCL", "error: /c/tempfile_x.cl:1:8: unknown type", "error", "/c/tempfile_x.cl", 1, 8, "unknown type"],
  ["PoCL without a file", "error: 1:2: expected", "error", "", 1, 2, "expected"],
  ["PoCL in a macro", "error: t.cl:1:21 <Spelling=<command line>:5:11>: no", "error", "t.cl", 1, 21, "no"],
  ["old AMD", '"/tmp/OCL.cl", line 7: error: identifier "y"', "error", "/tmp/OCL.cl", 7, 0, 'identifier "y"'],
  ["a linker", "error: undefined reference to `f'", "error", "", 0, 0, "undefined reference to `f'"],
  ["ptxas that ends", "ptxas fatal   : Unresolved 'f'", "error", "", 0, 0, "Unresolved 'f'"],
  [
    "PoCL's linker",
    "Cannot find symbol f in kernel library",
    "error",
    "",
    0,
    0,
    "Cannot find symbol f in kernel library",
  ],
  ["PoCL's options check", "Invalid build option: -x", "error", "", 0, 0, "Invalid build option: -x"],
  ["ptxas", "ptxas error   : too much shared data", "error", "", 0, 0, "too much shared data"],
])("parses a message of %s", (_who, log, severity, file, line, column, message) => {
  expect(read(log)).toEqual([{ device, severity, file, line, column, message }]);
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
