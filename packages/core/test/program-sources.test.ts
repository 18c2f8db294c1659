import { describe, expect, test } from "vitest";
import {
  CommandQueue,
  type Context,
  DeviceBuffer,
  driverBinary,
  OpenCLError,
  Program,
  ProgramBinaryType,
} from "@cl/core";

import { halvesOf, needsHalves } from "@cl/testing/halves";
import { needs } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";
import { errorLike, outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { context, device } from "./support/kernels.js";

process.env["CL_NO_CACHE"] = "1";

const queue = new CommandQueue(context);
const source = "__kernel void seven(__global int *x) { x[get_global_id(0)] = 7; }";

async function seven(program: Program): Promise<number | undefined> {
  const x = DeviceBuffer.from(context, Int32Array.of(0));
  program.kernel("seven").launch(queue, { global: 1 }, x);
  return (await queue.read(x, Int32Array))[0];
}

function isRefused(make: () => unknown): boolean {
  try {
    make();
    return false;
  } catch {
    return true;
  }
}

describe("a program from binaries", () => {
  test("runs like the program that the binaries are from", async () => {
    const { binaries, binarySizes } = await new Program(context, source).build();
    expect(binaries.get(device)?.length).toBe(binarySizes.get(device));
    const program = Program.fromBinaries(context, binaries, { label: "again" });
    expect(program.source).toBeUndefined();
    expect(program.label).toBe("again");
    expect(program.devices).toEqual([device]);
    await program.build();
    expect(program.binaryType(device)).toBe(ProgramBinaryType.EXECUTABLE);
    expect(program.kernelNames).toEqual(["seven"]);
    expect(await seven(program)).toBe(7);
  });

  test("is rejected if it is truncated or damaged", async () => {
    const binary = (await new Program(context, source).build()).binaries.get(device) as Uint8Array;
    const codes: unknown[] = [];
    const attempt = (bytes: Uint8Array): void => {
      try {
        Program.fromBinaries(context, [[device, bytes]]);
        codes.push("accepted");
      } catch (error) {
        codes.push((error as { code: string }).code);
      }
    };
    const step = Math.ceil(binary.length / 50);
    for (let length = binary.length - 1; length > 0; length -= step) attempt(binary.slice(0, length));
    for (let i = 0; i < binary.length; i += step) {
      const damaged = binary.slice();
      damaged[i] = (damaged[i] as number) ^ 1;
      attempt(damaged);
    }
    for (let i = 0; i < 64; i++) {
      const damaged = binary.slice();
      damaged[i] = (damaged[i] as number) ^ 0x80;
      attempt(damaged);
    }
    attempt(new Uint8Array([...binary, 0]));
    expect(new Set(codes)).toEqual(new Set(["ERR_INVALID_ARG_VALUE"]));
    expect(codes.length).toBeGreaterThan(150);
  });

  test("from the driver's own binaries requires requireChecksum: false", async () => {
    const binary = (await new Program(context, source).build()).binaries.get(device) as Uint8Array;
    const own = driverBinary(binary);
    expect(own.length).toBeLessThan(binary.length);
    expect(() => Program.fromBinaries(context, [[device, own]])).toThrow(
      expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARG_VALUE" }),
    );
    const program = Program.fromBinaries(context, [[device, own]], { requireChecksum: false }).buildSync();
    expect(await seven(program)).toBe(7);
    expect(() => driverBinary(own)).toThrow(TypeError);
    expect(() => driverBinary(binary.slice(0, -1))).toThrow(TypeError);
    expect(() => driverBinary("bytes" as unknown as Uint8Array)).toThrow(TypeError);
    const options = { requireChecksum: 1 } as unknown as { requireChecksum: boolean };
    expect(() => Program.fromBinaries(context, [[device, binary]], options)).toThrow(
      wrongType("options.requireChecksum"),
    );
  });

  test("from another PoCL is rejected if it is truncated, or if its lengths or file names are invalid", async (run) => {
    const framed = (await new Program(context, source).build()).binaries.get(device) as Uint8Array;
    const binary = driverBinary(framed);
    const version = new DataView(binary.buffer, binary.byteOffset).getUint32(16, true);
    const isKnown = new TextDecoder().decode(binary.subarray(0, 7)) === "poclbin" && (version === 9 || version === 11);
    needs(run, isKnown, `'${device.name}' has binaries in another format`);
    const files = version === 9 ? 77 : 85;
    const make = (bytes: Uint8Array): Program =>
      Program.fromBinaries(context, [[device, bytes]], { requireChecksum: false });
    const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARG_VALUE" }) as Error;
    for (let length = binary.length - 1; length > 8; length -= Math.ceil(binary.length / 100)) {
      expect(() => make(binary.slice(0, length))).toThrow(refused);
    }
    // The number of kernels, the number of file lists, the size of the first files, the length of the first name (two
    // ways), its second letter, the file's size.
    for (const [position, value] of [
      [20, 200],
      [32, 200],
      [files + 2, 200],
      [files + 8, 0],
      [files + 9, 16],
      [files + 13, 0],
      [files + 25, 200],
    ] as const) {
      const damaged = binary.slice();
      damaged[position] = value;
      expect(() => make(damaged)).toThrow(refused);
    }
    const climbing = binary.slice();
    climbing.set(new TextEncoder().encode("/../../x.bc"), files + 12);
    expect(() => make(climbing)).toThrow(refused);
    expect(await seven(make(binary).buildSync())).toBe(7);
  });

  test("that the driver rejects throws an error with the device's name", (run) => {
    const make = (): Program =>
      Program.fromBinaries(context, [[device, Uint8Array.of(1, 2, 3, 4)]], { requireChecksum: false });
    needs(run, isRefused(make), `the driver of '${device.name}' checks binaries only when it builds them`);
    expect(make).toThrow(OpenCLError);
    expect(make).toThrow(errorLike(OpenCLError, "CL_INVALID_BINARY"));
  });

  const halves = halvesOf(device);

  test("is for the devices with a binary only", async (run) => {
    const { shared, second } = needsHalves(run, halves);
    const { binaries } = await new Program(shared, source).build();
    const program = Program.fromBinaries(shared, [[second, binaries.get(second) as Uint8Array]]);
    expect(program.devices).toEqual([second]);
    await program.build();
    expect(program.kernelNames).toEqual(["seven"]);
  });

  const bytes = Uint8Array.of(1);
  test.each([
    ["an empty map", new Map(), wrongType("binaries")],
    ["an element that is not a pair", [device], wrongType("binaries[0]")],
    ["a key that is not a device", [["cpu", bytes]], wrongType()],
    ["a value that is not bytes", [[device, "binary"]], wrongType()],
    ["null, as from a program that was not built", new Map([[device, null]]), wrongType()],
    ["an empty binary", [[device, new Uint8Array()]], outOfRange()],
    [
      "a duplicate device",
      [
        [device, bytes],
        [device, bytes],
      ],
      wrongType("binaries"),
    ],
    ["SPIR-V", [[device, Uint8Array.of(3, 2, 0x23, 7)]], wrongType()],
  ])("cannot be created from %s", (_what, binaries, message) => {
    const make = Program.fromBinaries as unknown as (context: Context, binaries: unknown) => Program;
    expect(() => make(context, binaries)).toThrow(message);
  });

  test("cannot be created for a device of another context", (run) => {
    const { second } = needsHalves(run, halves);
    expect(() => Program.fromBinaries(context, [[second, bytes]])).toThrow(wrongType());
  });
});

describe("a program from SPIR-V", () => {
  test("requires a device that supports it", (run) => {
    needs(run, device.ilVersion === "", `'${device.name}' supports ${device.ilVersion}`);
    for (const magic of [Uint8Array.of(3, 2, 0x23, 7, 0, 0, 1, 0), Uint8Array.of(7, 0x23, 2, 3, 0, 1, 0, 0)]) {
      expect(() => Program.fromIL(context, magic)).toThrow(notSupported());
    }
  });

  test("is the only kind with specialization constants, which are set as bytes", () => {
    const program = new Program(context, source);
    expect(() => program.setSpecializationConstant(1, Int32Array.of(3))).toThrow(wrongState());
  });
});

describe("a program from built-in kernels", () => {
  const name = device.builtInKernels[0] ?? "none";
  const none = `'${device.name}' has no built-in kernels`;

  test("passes the names to OpenCL separated by semicolons", (run) => {
    needs(run, device.builtInKernels.length > 0, none);
    const names = device.builtInKernels.slice(0, 2);
    const program = Program.fromBuiltInKernels(context, names, [device], { label: "built in" });
    expect(program.label).toBe("built in");
    expect(program.kernelNames).toEqual(names);
    expect(program.devices).toEqual([device]);
  });

  test("with an unknown name throws an error that lists the known ones", (run) => {
    needs(run, device.builtInKernels.length > 0, none);
    expect(() => Program.fromBuiltInKernels(context, [`${name}x`])).toThrow(outOfRange());
  });
});

describe("a program from its address", () => {
  test("has its kernels and log, and runs them", async () => {
    const program = await new Program(context, source).build();
    const other = Program.fromPointer(context, program.pointer, { label: "other" });
    expect(other.kernelNames).toEqual(["seven"]);
    expect(other.log(device)).toBe("");
    expect(await seven(other)).toBe(7);
  });
});
