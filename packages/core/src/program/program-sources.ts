/** Creation of native programs from source, binaries, SPIR-V and built-in kernels. */
import {
  byteLengthOf,
  checkCString,
  checkInstance,
  describe,
  isBytes,
  isView,
  rangeError,
  typeError,
  unknownName,
  wrongValue,
} from "@cl/base";

import type { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { errorPosition, NotSupportedError, OpenCLError } from "../binding/errors.js";
import { unframeBinary } from "./framed-binary.js";
import { checkPoclBinary } from "./pocl-binary-format.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";

/** Binaries by device: a Map such as `program.binaries`, or pairs. */
export type DeviceBinaries = ReadonlyMap<Device, Uint8Array | null> | Iterable<readonly [Device, Uint8Array]>;

/** Creates a program from OpenCL C. */
export function sourceProgram(context: Context, source: unknown): Handle {
  if (source instanceof Uint8Array) {
    const hint = isSpirV(source)
      ? "Program.fromIL(context, bytes) takes SPIR-V"
      : "Program.fromBinaries takes binaries";
    throw typeError("source", `OpenCL C in a string (${hint})`, source);
  }
  const text = checkCString(source, "source");
  if (text.trim() === "") throw typeError("source", "non-empty OpenCL C", source);
  return native.programFromSource(handleOf(context), text);
}

/** Creates a program from binaries, one per device. */
export function binariesProgram(
  context: Context,
  binaries: unknown,
  requireChecksum: boolean,
): { handle: Handle; devices: readonly Device[] } {
  const devices: Device[] = [];
  const deviceBinaries: Uint8Array[] = [];
  for (const [i, pair] of [...checkPairs(binaries)].entries()) {
    const [device, binary] = checkPair(pair, i);
    if (!context.devices.includes(device)) {
      throw typeError(`the device of binaries[${i}]`, "a device of the context", device);
    }
    if (devices.includes(device)) throw typeError("binaries", "at most one for each device", `two for ${device.name}`);
    devices.push(device);
    deviceBinaries.push(binary);
  }
  if (devices.length === 0) throw typeError("binaries", "at least one pair of Device and Uint8Array", binaries);
  const bytes = deviceBinaries.map((binary, i) => checkBinary(binary, `the binary of binaries[${i}]`, requireChecksum));
  try {
    const handle = native.programFromBinaries(handleOf(context), Int32Array.from(devices, handleOf), bytes);
    return { handle, devices: Object.freeze(devices) };
  } catch (error) {
    const device = devices[errorPosition(error)];
    if (error instanceof OpenCLError && device !== undefined) {
      error.message += `; the binary for '${device.name}' is damaged, or for another device or driver version`;
    }
    throw error;
  }
}

/** Creates a program from SPIR-V, in either byte order. */
export function ilProgram(context: Context, il: unknown): Handle {
  if (!isBytes(il)) throw typeError("il", "SPIR-V in a Uint8Array", il);
  if (!isSpirV(il)) throw typeError("il", "SPIR-V (starting with 0x07230203)", il);
  try {
    return native.programFromIL(handleOf(context), il);
  } catch (error) {
    if (error instanceof OpenCLError && !context.devices.some(supportsIL)) {
      throw new NotSupportedError(
        "clCreateProgramWithIL",
        "no device of this context supports SPIR-V (ilVersion is empty)",
      );
    }
    throw error;
  }
}

/** Creates a program from built-in kernels. */
export function builtInProgram(context: Context, names: unknown, devices: readonly Device[]): Handle {
  if (!Array.isArray(names) || names.length === 0) throw typeError("names", "an array of kernel names", names);
  const known = devices.map((device) => device.builtInKernels);
  for (const [i, name] of (names as unknown[]).entries()) {
    const text = checkCString(name, `names[${i}]`);
    const missing = known.find((list) => !list.includes(text));
    if (missing !== undefined) throw unknownName("built-in kernel", text, missing);
  }
  return native.programFromBuiltInKernels(handleOf(context), Int32Array.from(devices, handleOf), names.join(";"));
}

/** Returns the checked devices, or all `known` devices by default. */
export function chooseDevices(given: unknown, known: readonly Device[], owner: string): readonly Device[] {
  if (given === undefined) return known;
  if (!Array.isArray(given) || given.length === 0) throw typeError("devices", "an array of at least one Device", given);
  (given as unknown[]).forEach((device, i) => {
    checkInstance(device, Device, `devices[${i}]`);
    if (!known.includes(device as Device)) throw typeError(`devices[${i}]`, `one of ${owner}'s devices`, device);
  });
  return [...new Set(given as Device[])];
}

/** Returns the driver's bytes of a binary. */
function checkBinary(binary: Uint8Array, name: string, requireChecksum: boolean): Uint8Array {
  const checked = unframeBinary(binary, name);
  if (checked !== undefined) return checked;
  if (!requireChecksum) {
    const copy = new Uint8Array(binary);
    checkPoclBinary(copy, name);
    return copy;
  }
  throw wrongValue(
    `${name} has no checksum: expected bytes from program.binaries, received ${describe(binary)}. The option requireChecksum: false accepts other binaries, but drivers can crash if they are damaged`,
  );
}

function isSpirV(bytes: Uint8Array): boolean {
  const magic = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return magic === "03022307" || magic === "07230203";
}

function supportsIL(device: Device): boolean {
  try {
    return device.ilVersion !== "";
  } catch (error) {
    // Runtimes before OpenCL 2.1 do not support the query.
    if (error instanceof OpenCLError) return false;
    throw error;
  }
}

function checkPairs(binaries: unknown): Iterable<unknown> {
  if (typeof binaries === "object" && binaries !== null && Symbol.iterator in binaries && !isView(binaries)) {
    return binaries as Iterable<unknown>;
  }
  throw typeError("binaries", "a Map from Device to Uint8Array, or pairs of them", binaries);
}

function checkPair(pair: unknown, i: number): readonly [Device, Uint8Array] {
  const name = `binaries[${i}]`;
  if (!Array.isArray(pair) || pair.length !== 2) throw typeError(name, "a pair of Device and Uint8Array", pair);
  const [device, binary] = pair as unknown[];
  checkInstance(device, Device, `the device of ${name}`);
  if (!isBytes(binary)) throw typeError(`the binary of ${name}`, "a Uint8Array", binary);
  if (byteLengthOf(binary) === 0) throw rangeError(`the binary of ${name}`, "not empty", describe(binary));
  if (isSpirV(binary)) {
    throw typeError(`the binary of ${name}`, "a device's binary; Program.fromIL(context, bytes) takes SPIR-V", binary);
  }
  return [device as Device, binary];
}
