/**
 * A kernel's parameters at run time: their names and types, where each lies in the scratch block, and how a JavaScript
 * value is checked and written there. This is the half of the launch path that runs in JavaScript.
 */
import { getFloat16Bits } from "./half.js";
import { DeviceBuffer, elementCodeOf } from "./buffer.js";
import { rangeError, typeError } from "./check.js";
import { MemObjectType } from "./constants.js";
import { OpenCLError } from "./errors.js";
import { kernelArgQueries } from "./info/kernel-info.js";
import { ask } from "./info/query.js";
import { isKernelArgument, type KernelArgument, kernelArgument } from "./kernel-argument.js";
import { parameterType, type ParameterType, unknownType } from "./kernel-type.js";
import { LocalMemory } from "./local-memory.js";
import { MemoryObject } from "./memory-object.js";
import { argumentKinds, type Handle, native } from "./native.js";
import { CommandQueue } from "./queue.js";
import { bufferHandle, handleOf, Resource } from "./resource.js";
import {
  argumentsOffset,
  scratch,
  scratchBigInt64,
  scratchFloat32,
  scratchFloat64,
  scratchInt32,
} from "./scratch.js";

/** How a value is written; one small integer for each parameter, for the switch in {@link KernelParameters.write}. */
const enumCodes = {
  memory: 0,
  local: 1,
  integer: 2,
  long: 3,
  float: 4,
  double: 5,
  half: 6,
  bytes: 7,
  image: 8,
  sampler: 9,
  queue: 10,
  unknown: 11,
} as const;

/** Room for an argument by value whose size is not known before it comes. */
const openRoom = 1024;

const maxFloat = 3.4028234663852886e38;
const maxHalf = 65504;

/** Where one kernel's arguments go, and what may go there. */
export class KernelParameters {
  readonly types: readonly ParameterType[];
  readonly names: readonly (string | undefined)[];
  /** Words for errors: `kernel "saxpy"`. */
  readonly #owner: string;
  readonly #codes: Uint8Array;
  /** Byte offsets in the scratch block. */
  readonly #offsets: Int32Array;
  /** [kind, size, offset] of each, as the native side has it. */
  readonly #layout: Int32Array;
  readonly #elements: Uint8Array;
  /** Bounds of integers, side by side with the rest: looking them up in the types costs 5 ns an argument. */
  readonly #minima: Float64Array;
  readonly #maxima: Float64Array;

  constructor(owner: string, types: readonly ParameterType[], names: readonly (string | undefined)[]) {
    this.#owner = owner;
    this.types = types;
    this.names = names;
    this.#codes = Uint8Array.from(types, codeOf);
    this.#elements = Uint8Array.from(types, (type) => type.scalar?.code ?? 0);
    this.#minima = Float64Array.from(types, (type) => type.scalar?.min ?? 0);
    this.#maxima = Float64Array.from(types, (type) => type.scalar?.max ?? 0);
    this.#offsets = new Int32Array(types.length);
    this.#layout = new Int32Array(3 * types.length);
    let offset = argumentsOffset;
    for (const [i, type] of types.entries()) {
      this.#offsets[i] = offset;
      this.#layout.set([nativeKind(type), type.bytes, offset], 3 * i);
      offset += Math.ceil(roomOf(type) / 16) * 16;
    }
    if (offset > scratch.byteLength) throw rangeError("kernel", "one whose arguments fit 64 KiB", owner);
  }

  /** What the runtime says of a kernel's parameters; unknown where it says nothing. */
  static discover(kernel: Handle, owner: string, count: number): KernelParameters {
    const types: ParameterType[] = [];
    const names: (string | undefined)[] = [];
    for (let i = 0; i < count; i++) {
      const read = (param: number): Uint8Array => native.getArgInfo(kernel, i, param);
      try {
        types.push(parameterType(ask(kernelArgQueries, "typeName", read), ask(kernelArgQueries, "addressQualifier", read)));
        names.push(ask(kernelArgQueries, "name", read) || undefined);
      } catch (error) {
        // CL_KERNEL_ARG_INFO_NOT_AVAILABLE for binaries without it, or a runtime before OpenCL 1.2.
        if (!(error instanceof OpenCLError)) throw error;
        types.length = i;
        types.push(unknownType);
        names.push(undefined);
      }
    }
    return new KernelParameters(owner, types, names);
  }

  /** How many there are. */
  get count(): number {
    return this.types.length;
  }

  /** The same for another native kernel: its layout changes by itself. */
  copy(): KernelParameters {
    const copy = new KernelParameters(this.#owner, this.types, this.names);
    copy.#layout.set(this.#layout);
    return copy;
  }

  /** Tells the native side the layout. Arguments whose place or size changes are forgotten. */
  describe(kernel: Handle): void {
    native.describeKernel(kernel, this.#layout);
  }

  /** The position of a parameter given by position or name. */
  indexOf(parameter: number | string): number {
    const index = typeof parameter === "string" ? this.names.indexOf(parameter) : parameter;
    if (!Number.isInteger(index) || index < 0 || index >= this.count) {
      const known = this.names.filter((name) => name !== undefined).join(", ");
      throw rangeError("parameter", `an argument of ${this.#owner}: 0 to ${this.count - 1}${known ? `, or ${known}` : ""}`, parameter);
    }
    return index;
  }

  /** The arguments by name, for sizes that depend on them. */
  named(args: readonly unknown[]): Record<string, unknown> {
    return Object.fromEntries(this.names.flatMap((name, i) => (name === undefined ? [] : [[name, args[i]]])));
  }

  /**
   * Writes all arguments into the scratch block. Returns true if methods of the arguments ran, which may have used the
   * block themselves: then what was written before must be written again.
   */
  writeAll(kernel: Handle, args: readonly unknown[]): boolean {
    const count = this.#codes.length;
    if (args.length !== count) throw this.#countError(args.length);
    const codes = this.#codes;
    const offsets = this.#offsets;
    for (let i = 0; i < count; i++) {
      const value = args[i];
      const offset = offsets[i] as number;
      // The three commonest kinds right here, where V8 keeps them in one piece; everything else, and every mistake,
      // goes through write(). That takes a launch with four arguments from 85 ns to 70 (bench: launch-4args-null).
      switch (codes[i]) {
        case enumCodes.memory:
          if (value instanceof DeviceBuffer && this.#takes(i, value)) {
            scratchInt32[offset >> 2] = bufferHandle(value);
            scratchFloat64[(offset >> 3) + 1] = 0;
            continue;
          }
          break;
        case enumCodes.integer:
          if (
            typeof value === "number" &&
            value >= (this.#minima[i] as number) &&
            value <= (this.#maxima[i] as number) &&
            Number.isInteger(value)
          ) {
            scratchInt32[offset >> 2] = value;
            continue;
          }
          break;
        case enumCodes.float:
          if (typeof value === "number" && value >= -maxFloat && value <= maxFloat) {
            scratchFloat32[offset >> 2] = value;
            continue;
          }
          break;
        default:
      }
      if (standsForOther(value)) {
        this.#writeResolved(kernel, args);
        return true;
      }
      this.write(kernel, i, value);
    }
    return false;
  }

  /** True if a buffer's elements are what a pointer points to, as far as both are known. */
  #takes(i: number, buffer: DeviceBuffer): boolean {
    const has = elementCodeOf(buffer);
    const wants = this.#elements[i] as number;
    return has === wants || has === 0 || wants === 0;
  }

  #writeResolved(kernel: Handle, args: readonly unknown[]): void {
    // All user code first, all writing after it.
    const resolved = args.map((value, i) => this.resolve(value, i));
    for (const [i, value] of resolved.entries()) this.write(kernel, i, value);
  }

  /** What stands in for a value that implements the protocol; any other value is itself. */
  resolve(value: unknown, i: number): unknown {
    if (!standsForOther(value)) return value;
    const standIn = value[kernelArgument]();
    if ("bytes" in standIn) return standIn.bytes;
    if (standIn.byteOffset !== undefined && standIn.byteOffset !== 0) {
      throw rangeError(
        this.nameOf(i),
        "memory that begins at its own start: a buffer argument has no offset on this device (use a sub-buffer)",
        standIn.byteOffset,
      );
    }
    return standIn.memory;
  }

  /** Checks one value and writes it where the native call that follows reads it. */
  write(kernel: Handle, i: number, value: unknown): void {
    const offset = this.#offsets[i] as number;
    switch (this.#codes[i]) {
      case enumCodes.memory:
        this.#writeMemory(i, offset, value);
        return;
      case enumCodes.integer: {
        const min = this.#minima[i] as number;
        const max = this.#maxima[i] as number;
        if (typeof value !== "number") throw this.#wrong(i, "an integer", value);
        if (!(value >= min && value <= max && Number.isInteger(value))) throw this.#outside(i, min, max, value);
        scratchInt32[offset >> 2] = value;
        return;
      }
      case enumCodes.float:
        if (typeof value !== "number") throw this.#wrong(i, "a number", value);
        if (Math.abs(value) > maxFloat && Math.abs(value) !== Infinity) throw this.#outside(i, -maxFloat, maxFloat, value);
        scratchFloat32[offset >> 2] = value;
        return;
      case enumCodes.double:
        if (typeof value !== "number") throw this.#wrong(i, "a number", value);
        scratchFloat64[offset >> 3] = value;
        return;
      case enumCodes.long:
        this.#writeLong(i, offset, value);
        return;
      case enumCodes.half:
        if (typeof value !== "number") throw this.#wrong(i, "a number", value);
        if (Math.abs(value) > maxHalf && Math.abs(value) !== Infinity) throw this.#outside(i, -maxHalf, maxHalf, value);
        scratchInt32[offset >> 2] = getFloat16Bits(value);
        return;
      case enumCodes.local:
        if (!(value instanceof LocalMemory)) throw this.#wrong(i, "a LocalMemory", value);
        scratchFloat64[offset >> 3] = value.bytes;
        return;
      case enumCodes.bytes:
        this.#writeBytes(kernel, i, offset, value);
        return;
      case enumCodes.image:
        if (!(value instanceof MemoryObject) || value.objectType === MemObjectType.BUFFER) throw this.#wrong(i, "an image", value);
        scratchInt32[offset >> 2] = handleOf(value);
        scratchFloat64[(offset >> 3) + 1] = 0;
        return;
      case enumCodes.sampler:
        if (!(value instanceof Resource)) throw this.#wrong(i, "a sampler", value);
        scratchInt32[offset >> 2] = handleOf(value);
        return;
      case enumCodes.queue:
        if (!(value instanceof CommandQueue)) throw this.#wrong(i, "a CommandQueue", value);
        scratchInt32[offset >> 2] = handleOf(value);
        return;
      default:
        this.#writeUnknown(kernel, i, offset, value);
    }
  }

  #writeMemory(i: number, offset: number, value: unknown): void {
    if (value === null) {
      scratchInt32[offset >> 2] = 0;
    } else {
      if (!(value instanceof DeviceBuffer)) throw this.#wrong(i, "a DeviceBuffer, or null", value);
      if (!this.#takes(i, value)) throw this.#wrong(i, "a buffer of that element type (or buffer.as(Type))", value);
      scratchInt32[offset >> 2] = bufferHandle(value);
    }
    scratchFloat64[(offset >> 3) + 1] = 0;
  }

  #writeLong(i: number, offset: number, value: unknown): void {
    if (typeof value !== "bigint") throw this.#wrong(i, "a bigint", value);
    const signed = (this.types[i] as ParameterType).scalar?.name === "long";
    const fits = signed ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value;
    if (!fits) throw rangeError(this.nameOf(i), signed ? "from -2^63 to 2^63 - 1" : "from 0 to 2^64 - 1", value);
    scratchBigInt64[offset >> 3] = BigInt.asIntN(64, value);
  }

  #writeBytes(kernel: Handle, i: number, offset: number, value: unknown): void {
    const type = this.types[i] as ParameterType;
    const bytes = ArrayBuffer.isView(value) ? viewBytes(value) : this.#vectorBytes(i, type, value);
    if (type.kind === "vector") {
      this.#checkVectorArray(i, type, value);
      const exact = type.bytes === bytes.byteLength || (type.width === 3 && bytes.byteLength === (type.bytes / 4) * 3);
      if (!exact) throw this.#wrong(i, `${type.width as number} components`, value);
      scratch.fill(0, offset, offset + type.bytes);
      scratch.set(bytes, offset);
      return;
    }
    this.#writeOpen(kernel, i, offset, argumentKinds.value, bytes);
  }

  #checkVectorArray(i: number, type: ParameterType, value: unknown): void {
    if (!ArrayBuffer.isView(value)) return;
    const matching = vectorArrays[type.scalar?.name ?? ""] ?? [];
    if (!matching.includes(value.constructor.name)) throw this.#wrong(i, `a ${matching.join(" or ")}, or an array of numbers`, value);
  }

  #vectorBytes(i: number, type: ParameterType, value: unknown): Uint8Array {
    if (type.kind !== "vector" || !Array.isArray(value)) {
      throw this.#wrong(i, type.kind === "vector" ? "an array or a typed array" : "a typed array or DataView with its bytes", value);
    }
    const width = type.width as number;
    if (value.length !== width) throw this.#wrong(i, `${width} components`, value);
    // Each component is checked as a scalar argument of its type would be.
    const component = new KernelParameters(this.#owner, [{ kind: "scalar", text: type.text, scalar: type.scalar as never, bytes: 0 }], [
      this.names[i],
    ]);
    const size = type.scalar?.bytes as number;
    const bytes = new Uint8Array(size * width);
    // The component is written where the first argument lies.
    const first = scratch.slice(argumentsOffset, argumentsOffset + 16);
    for (const [k, one] of (value as readonly unknown[]).entries()) {
      component.write(0, 0, one);
      bytes.set(scratch.subarray(argumentsOffset, argumentsOffset + size), k * size);
    }
    scratch.set(first, argumentsOffset);
    return bytes;
  }

  #writeUnknown(kernel: Handle, i: number, offset: number, value: unknown): void {
    if (value === null || value instanceof MemoryObject) {
      this.#redescribe(kernel, i, argumentKinds.memory, 0);
      scratchInt32[offset >> 2] = value === null ? 0 : handleOf(value);
      scratchFloat64[(offset >> 3) + 1] = 0;
    } else if (value instanceof LocalMemory) {
      this.#redescribe(kernel, i, argumentKinds.local, 0);
      scratchFloat64[offset >> 3] = value.bytes;
    } else if (value instanceof CommandQueue) {
      this.#redescribe(kernel, i, argumentKinds.queue, 0);
      scratchInt32[offset >> 2] = handleOf(value);
    } else if (value instanceof Resource) {
      this.#redescribe(kernel, i, argumentKinds.sampler, 0);
      scratchInt32[offset >> 2] = handleOf(value);
    } else if (ArrayBuffer.isView(value)) {
      this.#writeOpen(kernel, i, offset, argumentKinds.value, viewBytes(value));
    } else {
      throw this.#wrong(i, "a buffer, LocalMemory or a typed array: the runtime does not tell its type, so a plain number has none (set kernel.argTypes)", value);
    }
  }

  #writeOpen(kernel: Handle, i: number, offset: number, kind: number, bytes: Uint8Array): void {
    const declared = (this.types[i] as ParameterType).bytes;
    if (declared > 0 && bytes.byteLength !== declared) throw this.#wrong(i, `${declared} bytes`, bytes);
    if (bytes.byteLength === 0 || bytes.byteLength > Math.max(openRoom, declared)) {
      throw this.#wrong(i, `1 to ${openRoom} bytes, unless kernel.argTypes says more`, bytes);
    }
    this.#redescribe(kernel, i, kind, bytes.byteLength);
    scratch.set(bytes, offset);
  }

  /** Changes what the native side knows of one argument, if it is not that already. */
  #redescribe(kernel: Handle, i: number, kind: number, size: number): void {
    if (this.#layout[3 * i] === kind && this.#layout[3 * i + 1] === size) return;
    this.#layout[3 * i] = kind;
    this.#layout[3 * i + 1] = size;
    native.describeKernel(kernel, this.#layout);
  }

  /** Words for errors: `argument 1 "x" (__global float *) of kernel "saxpy"`. */
  nameOf(i: number): string {
    const name = this.names[i];
    const type = this.types[i];
    return `argument ${i}${name === undefined ? "" : ` "${name}"`}${type === undefined ? "" : ` (${type.text})`} of ${this.#owner}`;
  }

  #wrong(i: number, expected: string, value: unknown): TypeError {
    return typeError(this.nameOf(i), expected, value);
  }

  #outside(i: number, min: number, max: number, value: number): RangeError {
    const integer = this.#codes[i] === enumCodes.integer;
    return rangeError(this.nameOf(i), `${integer ? "an integer " : ""}from ${min} to ${max}`, value);
  }

  #countError(came: number): TypeError {
    const list = this.types.map((type, i) => `${type.text}${this.names[i] === undefined ? "" : ` ${this.names[i]}`}`).join(", ");
    return new TypeError(`${this.#owner} takes ${this.count} arguments (${list}), but ${came} came`);
  }
}

function standsForOther(value: unknown): value is KernelArgument {
  return !(value instanceof MemoryObject) && isKernelArgument(value);
}

/** Typed arrays whose components may be a vector's. */
const vectorArrays: Readonly<Record<string, readonly string[]>> = {
  char: ["Int8Array"],
  uchar: ["Uint8Array", "Uint8ClampedArray"],
  short: ["Int16Array"],
  ushort: ["Uint16Array"],
  int: ["Int32Array"],
  uint: ["Uint32Array"],
  long: ["BigInt64Array"],
  ulong: ["BigUint64Array"],
  half: ["Float16Array", "Uint16Array"],
  float: ["Float32Array"],
  double: ["Float64Array"],
};

function viewBytes(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function codeOf(type: ParameterType): number {
  switch (type.kind) {
    case "global":
      return enumCodes.memory;
    case "scalar":
      return scalarCode(type);
    case "vector":
    case "struct":
      return enumCodes.bytes;
    case "local":
    case "image":
    case "sampler":
    case "queue":
    case "unknown":
      return enumCodes[type.kind];
    default:
      return type.kind satisfies never;
  }
}

function scalarCode(type: ParameterType): number {
  switch (type.scalar?.name) {
    case "long":
    case "ulong":
      return enumCodes.long;
    case "float":
      return enumCodes.float;
    case "double":
      return enumCodes.double;
    case "half":
      return enumCodes.half;
    default:
      return enumCodes.integer;
  }
}

function nativeKind(type: ParameterType): number {
  switch (type.kind) {
    case "global":
    case "image":
      return argumentKinds.memory;
    case "local":
      return argumentKinds.local;
    case "sampler":
      return argumentKinds.sampler;
    case "queue":
      return argumentKinds.queue;
    case "scalar":
    case "vector":
    case "struct":
    case "unknown":
      return argumentKinds.value;
    default:
      return type.kind satisfies never;
  }
}

function roomOf(type: ParameterType): number {
  if (type.kind === "struct" || type.kind === "unknown") return Math.max(type.bytes, openRoom);
  return Math.max(type.bytes, 16);
}

