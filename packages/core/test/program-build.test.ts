import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, describe, expect, test } from "vitest";
import {
  BuildStatus,
  CommandQueue,
  DeviceBuffer,
  DisposedError,
  OpenCLError,
  Program,
  ProgramBinaryType,
  ProgramBuildInfo,
  ProgramInfo,
} from "@cl/core";

import { halvesOf, needsHalves } from "@cl/testing/halves";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { context, device } from "./support/kernels.js";

process.env["CL_NO_CACHE"] = "1";

const queue = new CommandQueue(context);
const source = `__kernel void add(__global int *x, int n) { x[get_global_id(0)] += n; }
__kernel void source(__global int *x) { x[0] = 7; }`;

/** For calls that TypeScript would reject. */
const loose = Program as unknown as new (...args: unknown[]) => Program;

describe("a program from source", () => {
  test("has its source, context and devices, and is not built initially", () => {
    const program = new Program(context, source, { label: "mine" });
    expect(program.source).toBe(source);
    expect(program.context).toBe(context);
    expect(program.devices).toEqual(context.devices);
    expect(program.numDevices).toBe(context.devices.length);
    expect(program.il).toBeUndefined();
    expect(program.label).toBe("mine");
    expect(program.status(device)).toBe(BuildStatus.NONE);
    expect(program.log(device)).toBe("");
    expect(program.options(device)).toBe("");
    expect(program.binaryType(device)).toBe(ProgramBinaryType.NONE);
    expect(program.binaries).toEqual(new Map([[device, null]]));
    expect(program.binarySizes).toEqual(new Map([[device, 0]]));
    expect(String(program)).toBe('Program "mine" { not built }');
  });

  test("throws if its kernels are requested before it is built", () => {
    const program = new Program(context, source);
    expect(() => program.kernel("add")).toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
    expect(() => program.kernels()).toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
    expect(() => program.kernelNames).toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
  });

  test.each([
    ["an empty source", [context, " \n"], wrongType("source")],
    ["SPIR-V", [context, Uint8Array.of(3, 2, 0x23, 7)], wrongType("source")],
    ["SPIR-V of the opposite byte order", [context, Uint8Array.of(7, 0x23, 2, 3)], wrongType("source")],
  ])("rejects %s with a clear error", (_what, args, message) => {
    expect(() => new loose(...args)).toThrow(message);
  });
});

describe("a build", () => {
  test("resolves to the program, with its kernels", async () => {
    const program = new Program(context, source);
    expect(await program.build()).toBe(program);
    // In the driver's order.
    expect(program.kernelNames.toSorted()).toEqual(["add", "source"]);
    expect(program.numKernels).toBe(2);
    expect(program.status(device)).toBe(BuildStatus.SUCCESS);
    expect(program.statuses).toEqual(new Map([[device, BuildStatus.SUCCESS]]));
    expect(program.binaryType(device)).toBe(ProgramBinaryType.EXECUTABLE);
    expect(String(program)).toBe(`Program { 2 kernels: ${program.kernelNames.join(", ")} }`);
  });

  test("accepts options as a list, or as a string that is split like in a shell", async () => {
    const text = "__kernel void f(__global int *x) { x[0] = A + B; }";
    const run = async (options: string | readonly string[]): Promise<number | undefined> => {
      const program = await new Program(context, text).build({ options });
      const x = DeviceBuffer.from(context, Int32Array.of(0));
      program.kernel("f").launch(queue, { global: 1 }, x);
      return (await queue.read(x, Int32Array))[0];
    };
    expect(await run("-D A=1 '-DB=2 + 3'")).toBe(6);
    expect(await run(["-D", "A=10", "-DB=2 + 3"])).toBe(15);
    expect(await run('-DA=4 -D "B=1 *  2"')).toBe(6);
  });

  test("requests argument information once by default", async () => {
    const program = await new Program(context, source).build({ options: "-cl-mad-enable" });
    expect(program.options(device)).toBe("-cl-mad-enable -cl-kernel-arg-info");
    expect(program.kernel("add").argNames).toEqual(["x", "n"]);
    expect(program.kernel("add").argTypes).toEqual(["int*", "int"]);
    const other = await new Program(context, source).build({ options: ["-cl-kernel-arg-info"] });
    expect(other.options(device)).toBe("-cl-kernel-arg-info");
  });

  test("keeps warnings in the log, publishes them on a diagnostics channel, and prints nothing", async () => {
    const messages: unknown[] = [];
    const listen = (message: unknown): void => void messages.push(message);
    subscribe("cl:build", listen);
    try {
      const program = await new Program(context, `#warning look here\n${source}`).build();
      expect(program.log(device)).toContain("look here");
      expect(program.logs.get(device)).toBe(program.log(device));
      expect(messages).toEqual([
        { program, logs: new Map([[device, program.log(device)]]), milliseconds: expect.any(Number), cached: false },
      ]);
    } finally {
      unsubscribe("cl:build", listen);
    }
  });

  test("can be repeated with other options after its kernels are released", async () => {
    const program = await new Program(
      context,
      "#ifdef OTHER\n__kernel void b() {}\n#else\n__kernel void a() {}\n#endif\n",
    ).build();
    const kernel = program.kernel("a");
    await expect(program.build({ options: "-DOTHER" })).rejects.toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
    kernel.release();
    await program.build({ options: "-DOTHER" });
    expect(program.kernelNames).toEqual(["b"]);
  });

  test("rejects a second one while it runs, and requests for kernels", async () => {
    const program = new Program(context, `${source}\n// ${Math.random()}`);
    const first = program.build();
    expect(program.status(device)).toBe(BuildStatus.IN_PROGRESS);
    expect(String(program)).toBe("Program { being built }");
    expect(() => program.kernel("add")).toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
    await expect(program.build()).rejects.toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
    expect(() => program.buildSync()).toThrow(errorLike(OpenCLError, "CL_INVALID_OPERATION"));
    await first;
    expect(program.status(device)).toBe(BuildStatus.SUCCESS);
    expect(program.kernelNames).toHaveLength(2);
  });

  test("continues after an aborted wait", async () => {
    const program = new Program(context, `${source}\n// ${Math.random()}`);
    const abort = new AbortController();
    const wait = program.build({ signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(wait).rejects.toThrow("enough");
    await expect.poll(() => program.status(device)).toBe(BuildStatus.SUCCESS);
    expect(program.kernelNames).toHaveLength(2);
    await expect(new Program(context, source).build({ signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow(
      "never",
    );
  });

  test("rejects if the program is released meanwhile", async () => {
    const program = new Program(context, `${source}\n// ${Math.random()}`);
    const wait = program.build();
    program.release();
    await expect(wait).rejects.toThrow(DisposedError);
    await expect(program.build()).rejects.toThrow(DisposedError);
  });

  test.each([
    ["a line break in an option", { options: ["-DA=1\n2"] }, wrongType()],
    ["an unclosed quote", { options: "-D 'A=1" }, wrongType("options")],
  ])("rejects %s with a clear error", async (_what, options, message) => {
    const program = new Program(context, source) as unknown as { build(options: unknown): Promise<void> };
    await expect(program.build(options)).rejects.toThrow(message);
  });

  describe("with CL_BUILD_OPTIONS", () => {
    afterEach(() => {
      delete process.env["CL_BUILD_OPTIONS"];
    });

    test("appends them to the caller's options", async () => {
      process.env["CL_BUILD_OPTIONS"] = "-DA=2 -D 'B=3 * 2'";
      const program = await new Program(context, source).build({ options: "-cl-mad-enable" });
      expect(program.options(device)).toBe('-cl-mad-enable -DA=2 -DB="3 * 2" -cl-kernel-arg-info');
    });

    test("names the variable in the error if it is invalid", async () => {
      process.env["CL_BUILD_OPTIONS"] = '-D "A';
      await expect(new Program(context, source).build()).rejects.toThrow(wrongType("CL_BUILD_OPTIONS"));
    });
  });
});

describe("the devices of a build", () => {
  const halves = halvesOf(device);

  test("are built, and the others are unchanged", async (run) => {
    const { shared, first, second } = needsHalves(run, halves);
    const program = await new Program(shared, source).build({ devices: [second] });
    expect(program.status(second)).toBe(BuildStatus.SUCCESS);
    expect(program.status(first)).toBe(BuildStatus.NONE);
    expect(program.binaryType(first)).toBe(ProgramBinaryType.NONE);
    expect(program.options(second)).toBe("-cl-kernel-arg-info");
    expect(program.binaries.get(second)).toBeInstanceOf(Uint8Array);
    expect(program.binaries.get(first)).toBeNull();
    expect(program.binarySizes.get(first)).toBe(0);
  });

  test("must belong to the program", async (run) => {
    const { shared } = needsHalves(run, halves);
    await expect(new Program(shared, source).build({ devices: [device] })).rejects.toThrow(wrongType("devices[0]"));
    expect(() => new Program(shared, source).log(device)).toThrow(wrongType("device"));
  });
});

test("getInfo and getBuildInfo return the driver's raw values", async () => {
  const program = await new Program(context, source).build();
  expect(new TextDecoder().decode(program.getInfo(ProgramInfo.SOURCE))).toBe(`${source}\0`);
  expect(program.getBuildInfo(device, ProgramBuildInfo.STATUS)).toEqual(Uint8Array.of(0, 0, 0, 0));
  expect(() => program.getInfo(-1)).toThrow(outOfRange("param"));
  expect(() => program.getInfo(1)).toThrow(OpenCLError);
});
