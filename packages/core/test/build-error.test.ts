import { describe, expect, test } from "vitest";
import { BuildError, BuildStatus, OpenCLError, Program } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { context, device } from "./support/kernels.js";

const failing = `__kernel void scale(__global float *x, float factor) {
\tx[get_global_id(0)] *= faktor;
  float y = "text";
}`;

/** Returns the BuildError that a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<BuildError> {
  const error = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BuildError);
  return error as BuildError;
}
const failure = (source: string): Promise<BuildError> => errorOf(new Program(context, source).build());

describe("a BuildError", () => {
  test("shows the source lines with a caret under the column", async () => {
    const program = new Program(context, failing, { label: "scaling" });
    const { message } = await errorOf(program.build({ options: "-DUSED=1" }));
    expect(message.split("\n").slice(0, 6)).toEqual([
      'building program "scaling" failed: CL_BUILD_PROGRAM_FAILURE (-11)',
      "options: -DUSED=1 -cl-kernel-arg-info",
      `for '${device.name}':`,
      "  2:25: error: use of undeclared identifier 'faktor'; did you mean 'factor'?",
      "      2 | \tx[get_global_id(0)] *= faktor;",
      "        | \t                       ^",
    ]);
    expect(message).toContain("  3:9: error: ");
  });

  test("is an OpenCLError with code, status, routine, options and logs", async () => {
    const error = await failure(failing);
    expect(error).toBeInstanceOf(OpenCLError);
    expect(error).toMatchObject({ name: "BuildError", code: "CL_BUILD_PROGRAM_FAILURE", status: -11 });
    expect(error).toMatchObject({ routine: "clBuildProgram", options: "-cl-kernel-arg-info" });
    expect([...error.logs.keys()]).toEqual([device]);
    expect(error.logs.get(device)).toContain("faktor");
  });

  test("has one diagnostic per compiler message, with its location", async () => {
    const { diagnostics } = await failure(`#warning early\n${failing}`);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(2);
    expect(diagnostics).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ device, severity: "warning", line: 1, column: 2 }),
        expect.objectContaining({ device, severity: "error", line: 3, column: 25 }),
        expect.objectContaining({ device, severity: "error", line: 4, column: 9 }),
      ]),
    );
  });

  test("leaves the log and status on the program", async () => {
    const program = new Program(context, failing);
    expect(() => program.buildSync()).toThrow(BuildError);
    expect(program.log(device)).toContain("faktor");
    expect(program.status(device)).toBe(BuildStatus.ERROR);
    expect(() => program.kernel("scale")).toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
  });

  test("shows five errors and counts the rest", async () => {
    const { message, diagnostics } = await failure(`__kernel void f() {\n${"  nonsense;\n".repeat(8)}}`);
    expect(diagnostics).toHaveLength(8);
    expect(message.match(/undeclared identifier/g)).toHaveLength(5);
    expect(message).toContain("  and 3 more errors");
  });

  test("names the origin of lines of a generated source", async () => {
    const source = "__kernel void f() {\n  nonsense;\n  nonsense2;\n}";
    const origin = (line: number): string | undefined => (line === 2 ? "line 7 of f.template" : undefined);
    const { diagnostics, message } = await errorOf(new Program(context, source, { origin }).build());
    expect(diagnostics.map((one) => one.origin)).toEqual(["line 7 of f.template", undefined]);
    expect(message).toMatch(/error: .* \(line 7 of f\.template\)\n/);
  });

  test.each([
    ["a missing function", "int missing(int); __kernel void f(__global int *x) { x[0] = missing(1); }", ""],
    ["an unknown option", "__kernel void f() {}", "-nonsense"],
  ])("has a diagnostic for %s", async (_what, source, options) => {
    const { diagnostics, message } = await errorOf(new Program(context, source).build({ cache: false, options }));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.length).toBeGreaterThan(0);
    expect(message).toContain(errors[0]?.message);
  });

  test("has a diagnostic for a failed link", async () => {
    const user = new Program(context, "int missing(int); __kernel void f(__global int *x) { x[0] = missing(1); }");
    const error = await errorOf(Program.link(context, [await user.compile()]));
    expect(error).toMatchObject({ code: "CL_LINK_PROGRAM_FAILURE", routine: "clLinkProgram" });
    expect(error.diagnostics).toContainEqual(expect.objectContaining({ severity: "error" }));
  });

  test("does not show source lines for errors in a header", async () => {
    const program = new Program(context, '#include "wrong.h"\n__kernel void f() {}');
    const error = await errorOf(program.compile({ headers: { "wrong.h": "nonsense here;\n" } }));
    expect(error.diagnostics[0]?.file).toContain("wrong.h");
    expect(error.message).not.toContain("1 | #include");
  });
});
