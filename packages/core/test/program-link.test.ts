import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, test } from "vitest";
import { BuildError, BuildStatus, CommandQueue, DeviceBuffer, OpenCLError, Program, ProgramBinaryType } from "@cl/core";
import { wrongType } from "@cl/testing/error-like";
import { context, device } from "./support/kernels.js";

const queue = new CommandQueue(context);
const main = '#include "twice.h"\n__kernel void go(__global int *x) { x[0] = twice(N); }';
const library = "int twice(int x) { return 2 * x; }";
const header = "#define N 21\nint twice(int x);\n";

async function parts(): Promise<[Program, Program]> {
  const user = await new Program(context, main).compile({ headers: { "twice.h": header } });
  return [user, await new Program(context, library).compile()];
}

async function go(program: Program): Promise<number | undefined> {
  const x = DeviceBuffer.from(context, Int32Array.of(0));
  program.kernel("go").launch(queue, { global: 1 }, x);
  return (await queue.read(x, Int32Array))[0];
}

describe("compiling", () => {
  test("creates an object without kernels", async () => {
    const [user] = await parts();
    expect(user.status(device)).toBe(BuildStatus.SUCCESS);
    expect(user.binaryType(device)).toBe(ProgramBinaryType.COMPILED_OBJECT);
    expect(user.options(device)).toBe("-cl-kernel-arg-info");
  });

  test("accepts headers as programs, in folders, and empty", () => {
    const text = '#include "a/b.h"\n#include "empty.h"\n__kernel void go(__global int *x) { x[0] = N; }';
    const program = new Program(context, text);
    const result = program.compileSync({
      headers: { "a/b.h": new Program(context, "#define N 3\n"), "empty.h": "" },
      options: "-DUNUSED",
    });
    expect(result).toBe(program);
    expect(program.options(device)).toBe("-DUNUSED -cl-kernel-arg-info");
  });

  test("that fails is a BuildError with the log and the line", async () => {
    const program = new Program(context, "__kernel void go() {\n  nonsense;\n}");
    const error = await program.compile().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BuildError);
    expect(error).toMatchObject({ code: "CL_COMPILE_PROGRAM_FAILURE", routine: "clCompileProgram" });
    expect((error as BuildError).message).toContain("    2 |   nonsense;");
    expect(program.log(device)).toContain("nonsense");
    expect(program.status(device)).toBe(BuildStatus.ERROR);
  });

  test.each<[object, Error]>([[{ headers: { "a.h": 3 } }, wrongType('headers["a.h"]')]])(
    "rejects the options %j",
    (options, error) => {
      expect(() => new Program(context, main).compileSync(options)).toThrow(error);
    },
  );
});

describe("linking", () => {
  test("creates a program with the kernels of its parts", async () => {
    const messages: unknown[] = [];
    const listen = (message: unknown): void => void messages.push(message);
    const programs = await parts();
    subscribe("cl:build", listen);
    const program = await Program.link(context, programs, { label: "linked" });
    unsubscribe("cl:build", listen);
    expect(program.label).toBe("linked");
    expect(program.source).toBeUndefined();
    expect(program.kernelNames).toEqual(["go"]);
    expect(program.binaryType(device)).toBe(ProgramBinaryType.EXECUTABLE);
    expect(await go(program)).toBe(42);
    expect(messages).toMatchObject([{ program, cached: false }]);
  });

  test("can be synchronous, and can create a library to link again", async () => {
    const [user, used] = await parts();
    const made = Program.linkSync(context, [used], { options: "-create-library" });
    expect(made.options(device)).toBe("-create-library");
    expect(await go(Program.linkSync(context, [user, made], { devices: [device] }))).toBe(42);
  });

  test("requires compiled programs", async () => {
    const error = await Program.link(context, [new Program(context, library)]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OpenCLError);
  });

  test("can be aborted", async () => {
    const abort = new AbortController();
    const wait = Program.link(context, await parts(), { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(wait).rejects.toThrow("enough");
  });
});
