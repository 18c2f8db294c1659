/**
 * A kernel's parameters at run time: their names, types and offsets in the scratch block, and how JavaScript values are
 * checked and written there. This is the JavaScript half of the launch path.
 */
import {
  arrayTag,
  isView,
  rangeError,
  type ScalarType,
  scalarTypes,
  typeError,
  withArticle,
  wrongType,
  wrongValue,
} from "@cl/base";

import { StandInBytes, viewBytes } from "../argument/argument-bytes.js";
import { standIn, standsForOther } from "../argument/argument-stand-in.js";
import type { KernelArgument } from "../argument/kernel-argument.js";
import { DeviceBuffer, elementCodeOf } from "../memory/buffer.js";
import { elementMismatch } from "./element-mismatch.js";
import { MemObjectType } from "../binding/constants.js";
import { DisposedError } from "../binding/errors.js";
import { Image } from "../image/image.js";
import { imageObjectType, takesImage } from "./image-parameter.js";
import { type ParameterType, unknownType } from "./kernel-type.js";
import { LocalMemory } from "../argument/local-memory.js";
import { MemoryObject } from "../memory/memory-object.js";
import { argumentKinds, type Handle, native } from "../binding/native.js";
import { codeOf, nativeKind, parameterCodes, reservedBytes, unsizedRoom } from "./parameter-code.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { fitsScalar, loadScalar, maxFloat, scalarError, storeScalar } from "../dtype/scalar-value.js";
import { bufferHandle, handleOf } from "../binding/resource.js";
import { Sampler } from "../sampler/sampler.js";
import { svmElementCode } from "../svm/svm-base.js";
import { isSvm, type SvmPointer } from "../svm/svm-pointer.js";
import {
  argumentsOffset,
  beginWrite,
  isUndisturbed,
  scratch,
  scratchFloat32,
  scratchFloat64,
  scratchInt32,
} from "../binding/scratch.js";

/** Halves are stored in Uint16Arrays if the runtime has no Float16Array. */
const halfCode = scalarTypes.half.code;
const ushortCode = scalarTypes.ushort.code;

const scratchView = new DataView(scratch.buffer);

function isBuffer(value: unknown): value is DeviceBuffer {
  return value instanceof DeviceBuffer;
}

/** Copies the components of a vector. Returns an array of another length unchanged; it is rejected later. */
function copyOf(value: readonly unknown[], width: number): readonly unknown[] {
  return value.length === width ? Array.from({ length: width }, (_, k) => value[k]) : value;
}

/** Writes the handle and the byte offset in its memory. */
function writeBuffer(offset: number, value: DeviceBuffer): void {
  scratchInt32[offset >> 2] = bufferHandle(value);
  scratchFloat64[(offset >> 3) + 1] = 0;
}

function writeSvm(offset: number, value: SvmPointer): void {
  scratchInt32[offset >> 2] = handleOf(value);
  scratchFloat64[(offset >> 3) + 1] = value.byteOffset;
}

/** Describes the values that a struct, or a type of which only the name is known, accepts. */
function expectedBytes({ text, bytes }: ParameterType): string {
  const expected = `a typed array or DataView with its ${bytes > 0 ? `${bytes} ` : ""}bytes`;
  return bytes > 0
    ? expected
    : `${expected}; the program's source does not define ${text} (declare it with kernel.argTypes)`;
}

/** Parameters of one kernel and their layout in the scratch block. */
export class KernelParameters {
  readonly types: readonly ParameterType[];
  readonly names: readonly (string | undefined)[];
  /** Name for errors: `kernel "saxpy"`. */
  readonly #owner: string;
  readonly #codes: Uint8Array;
  /** Byte offsets in the scratch block. */
  readonly #offsets: Int32Array;
  /** [kind, size, offset] of each parameter, in the native side's format. */
  readonly #layout: Int32Array;
  readonly #elements: Uint8Array;
  /** Image types of the parameters. */
  readonly #imageTypes: Int32Array;
  /** Integer bounds, copied here because looking them up in the types costs 5 ns per argument. */
  readonly #minima: Float64Array;
  readonly #maxima: Float64Array;
  /** Whether any declared type converts values before they are written. */
  readonly #adapts: boolean;

  constructor(owner: string, types: readonly ParameterType[], names: readonly (string | undefined)[]) {
    this.#owner = owner;
    this.types = types;
    this.names = names;
    this.#codes = Uint8Array.from(types, codeOf);
    this.#adapts = types.some(({ adapt }) => adapt !== undefined);
    this.#elements = Uint8Array.from(types, (type) => type.scalar?.code ?? 0);
    this.#imageTypes = Int32Array.from(types, imageObjectType);
    this.#minima = Float64Array.from(types, (type) => type.scalar?.min ?? 0);
    this.#maxima = Float64Array.from(types, (type) => type.scalar?.max ?? 0);
    this.#offsets = new Int32Array(types.length);
    this.#layout = new Int32Array(3 * types.length);
    let offset = argumentsOffset;
    for (const [i, type] of types.entries()) {
      this.#offsets[i] = offset;
      this.#layout.set([nativeKind(type), type.bytes, offset], 3 * i);
      offset += Math.ceil(reservedBytes(type) / 16) * 16;
    }
    if (offset > scratch.byteLength) throw rangeError("kernel", "a kernel whose arguments fit into 64 KiB", owner);
  }

  /** Number of parameters. */
  get count(): number {
    return this.types.length;
  }

  /** Returns a copy for another native kernel, whose layout changes independently. */
  copy(): KernelParameters {
    const copy = new KernelParameters(this.#owner, this.types, this.names);
    copy.#layout.set(this.#layout);
    return copy;
  }

  /** Passes the layout to the native side. Arguments whose offset or size changes are unset. */
  describe(kernel: Handle): void {
    native.describeKernel(kernel, this.#layout);
  }

  /** Returns the position of a parameter given by position or name. */
  indexOf(parameter: number | string): number {
    const index = typeof parameter === "string" ? this.names.indexOf(parameter) : parameter;
    if (!Number.isInteger(index) || index < 0 || index >= this.count) {
      const known = this.names.filter((name) => name !== undefined).join(", ");
      throw rangeError(
        "parameter",
        `an argument of ${this.#owner}: 0 to ${this.count - 1}${known ? `, or ${known}` : ""}`,
        parameter,
      );
    }
    return index;
  }

  /** Returns the scalar type of an argument that launch lists can set; `undefined` for other arguments. */
  numberType(i: number): ScalarType | undefined {
    const type = this.types[i];
    if (type?.kind !== "scalar" || type.adapt !== undefined) return undefined;
    const { scalar } = type;
    return scalar === undefined || scalar.name === "half" ? undefined : scalar;
  }

  /** Returns the current value of a scalar argument; a bigint for a 64-bit integer. */
  read(kernel: Handle, i: number, scalar: ScalarType): number | bigint {
    native.readKernelArgument(kernel, i);
    return loadScalar(scratchView, scalar.name, this.#offsets[i] as number);
  }

  /**
   * Writes all arguments into the scratch block. If user code, such as a getter, may have overwritten the block
   * meanwhile, returns the resolved arguments instead: write the sizes again, then call {@link writeResolved}, which
   * runs no user code.
   */
  writeAll(kernel: Handle, args: readonly unknown[]): readonly unknown[] | undefined {
    const count = this.#codes.length;
    if (args.length !== count) throw this.#countError(args.length);
    if (this.#adapts) return this.#resolveAll(args);
    const turn = beginWrite();
    const codes = this.#codes;
    const offsets = this.#offsets;
    /** The arguments with memory in place of the objects that stand for it, which are asked once. */
    let resolved: unknown[] | undefined;
    let i = 0;
    try {
      for (; i < count; i++) {
        const value = args[i];
        const offset = offsets[i] as number;
        // The three most common kinds are inlined; everything else, and every error, goes through #write(). This
        // reduces a launch with four arguments from 85 to 70 ns (bench: launch-4args-null).
        switch (codes[i] as number) {
          case parameterCodes.memory:
            if (isBuffer(value) && this.#accepts(i, value)) {
              writeBuffer(offset, value);
              continue;
            }
            break;
          case parameterCodes.integer:
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
          case parameterCodes.float:
            if (typeof value === "number" && value >= -maxFloat && value <= maxFloat) {
              scratchFloat32[offset >> 2] = value;
              continue;
            }
            break;
          default:
        }
        const written = this.#writeOther(kernel, i, value, turn);
        if (written === value) continue;
        resolved ??= args.slice();
        resolved[i] = written;
        if (!isUndisturbed(turn)) break;
      }
    } catch (error) {
      throw this.#withArgumentName(i, error);
    }
    return i === count && isUndisturbed(turn) ? undefined : this.#resolveAll(resolved ?? args);
  }

  /**
   * Writes any value, or what it stands for unless its code has overwritten the block, and returns what it stands for. A separate
   * method, because V8 does not inline what a rare branch calls: that takes 15 ns more per array (bench: array-argument-null).
   */
  #writeOther(kernel: Handle, i: number, value: unknown, turn: number): unknown {
    if (!standsForOther(value)) {
      this.#write(kernel, i, value);
      return value;
    }
    const memory = this.#memoryFor(value, i);
    if (isUndisturbed(turn)) this.#write(kernel, i, memory);
    return memory;
  }

  /** Runs the code of an object that stands for an argument. */
  #memoryFor(value: KernelArgument, i: number): ReturnType<typeof standIn> {
    return standIn(value, () => this.nameOf(i));
  }

  #resolveAll(args: readonly unknown[]): readonly unknown[] {
    return args.map((value, i) => this.resolve(value, i));
  }

  /** Writes arguments that are already resolved. */
  writeResolved(kernel: Handle, resolved: readonly unknown[]): void {
    if (resolved.length !== this.count) throw this.#countError(resolved.length);
    for (const [i, value] of resolved.entries()) this.write(kernel, i, value);
  }

  /**
   * Converts a value by its declared type, or by the kernel argument protocol if the value implements it. Copies
   * arrays, because their getters may run any code.
   */
  resolve(value: unknown, i: number): unknown {
    if (this.types[i]?.adapt !== undefined) return this.adapt(value, i);
    if (Array.isArray(value)) return copyOf(value, this.types[i]?.width ?? 0);
    return standsForOther(value) ? this.#memoryFor(value, i) : value;
  }

  /** Converts a value by its declared type; returns it unchanged if no type is declared. */
  adapt(value: unknown, i: number): unknown {
    const adapt = this.types[i]?.adapt;
    if (adapt === undefined) return value;
    try {
      return adapt(value, this.nameOf(i));
    } catch (error) {
      throw this.#withArgumentName(i, error);
    }
  }

  /** Checks one value and writes it into the scratch block for the next native call. */
  write(kernel: Handle, i: number, value: unknown): void {
    beginWrite();
    try {
      this.#write(kernel, i, value);
    } catch (error) {
      throw this.#withArgumentName(i, error);
    }
  }

  /** Adds the argument's name to a DisposedError; other errors already contain it. */
  #withArgumentName(i: number, error: unknown): unknown {
    if (error instanceof DisposedError) error.message = `${this.nameOf(i)}: ${error.message}`;
    return error;
  }

  #write(kernel: Handle, i: number, value: unknown): void {
    const offset = this.#offsets[i] as number;
    switch (this.#codes[i] as number) {
      case parameterCodes.memory:
        this.#writeMemory(i, offset, value);
        return;
      case parameterCodes.double:
        if (typeof value !== "number") break;
        scratchFloat64[offset >> 3] = value;
        return;
      case parameterCodes.local:
        if (!(value instanceof LocalMemory)) throw this.#wrong(i, "a LocalMemory", value);
        scratchFloat64[offset >> 3] = value.bytes;
        return;
      case parameterCodes.image:
        this.#checkImage(i, value);
        scratchInt32[offset >> 2] = handleOf(value);
        scratchFloat64[(offset >> 3) + 1] = 0;
        return;
      case parameterCodes.pipe:
        if (!(value instanceof MemoryObject) || value.objectType !== MemObjectType.PIPE) {
          throw this.#wrong(i, "a Pipe", value);
        }
        scratchInt32[offset >> 2] = handleOf(value);
        scratchFloat64[(offset >> 3) + 1] = 0;
        return;
      case parameterCodes.sampler:
        if (!(value instanceof Sampler)) throw this.#wrong(i, "a Sampler", value);
        scratchInt32[offset >> 2] = handleOf(value);
        return;
      case parameterCodes.queue:
        if (!(value instanceof CommandQueue)) throw this.#wrong(i, "a CommandQueue", value);
        scratchInt32[offset >> 2] = handleOf(value);
        return;
      case parameterCodes.unknown:
        this.#writeUnknown(kernel, i, offset, value);
        return;
      default:
    }
    const type = this.types[i] as ParameterType;
    if (value instanceof StandInBytes) {
      this.#checkDType(i, type, value);
      this.#writeValue(kernel, i, type, offset, value.view);
    } else if (type.kind === "scalar") {
      const scalar = type.scalar as ScalarType;
      if (!fitsScalar(scalar, value)) throw scalarError(scalar, this.nameOf(i), value);
      storeScalar(scratchView, scalar.name, offset, value);
    } else if (type.kind === "vector") {
      this.#writeVector(kernel, i, type, offset, value);
    } else {
      if (!isView(value)) throw this.#wrong(i, expectedBytes(type), value);
      this.#writeValue(kernel, i, type, offset, value);
    }
  }

  #checkImage(i: number, value: unknown): asserts value is MemoryObject {
    const type = this.types[i] as ParameterType;
    if (takesImage(type, this.#imageTypes[i] as number, value)) return;
    const what = type.text.includes("image") ? `an image of type ${type.text}` : "an image";
    throw this.#wrong(i, what, value instanceof Image ? value.toString() : value);
  }

  /** Returns whether a buffer's element type matches a pointer's, as far as both are known. */
  #accepts(i: number, buffer: DeviceBuffer): boolean {
    return this.#acceptsElements(i, elementCodeOf(buffer));
  }

  #acceptsElements(i: number, actual: number): boolean {
    const expected = this.#elements[i] as number;
    return actual === expected || actual === 0 || expected === 0 || (expected === halfCode && actual === ushortCode);
  }

  #writeMemory(i: number, offset: number, value: unknown): void {
    if (isBuffer(value)) {
      if (!this.#accepts(i, value)) {
        throw elementMismatch(this.nameOf(i), this.types[i] as ParameterType, "a buffer", value.type);
      }
      writeBuffer(offset, value);
    } else if (isSvm(value)) {
      if (!this.#acceptsElements(i, svmElementCode(value))) {
        throw elementMismatch(this.nameOf(i), this.types[i] as ParameterType, "shared memory", value.type);
      }
      writeSvm(offset, value);
    } else if (value === null) {
      scratchInt32[offset >> 2] = 0;
      scratchFloat64[(offset >> 3) + 1] = 0;
    } else {
      throw this.#wrong(i, "a DeviceBuffer, shared virtual memory or null", value);
    }
  }

  #writeVector(kernel: Handle, i: number, type: ParameterType, offset: number, value: unknown): void {
    const scalar = type.scalar as ScalarType;
    const width = type.width as number;
    if (isView(value)) {
      const matching = scalar.arrays;
      if (!matching.includes(arrayTag(value) ?? "")) {
        throw this.#wrong(i, `${withArticle(matching.join(" or "))}, or an array of ${width}`, value);
      }
      this.#writeValue(kernel, i, type, offset, value);
      return;
    }
    if (!Array.isArray(value)) throw this.#wrong(i, "an array or a typed array", value);
    if (value.length !== width) throw this.#wrong(i, `${width} components`, value);
    scratch.fill(0, offset, offset + type.bytes);
    for (let k = 0; k < width; k++) {
      const component: unknown = value[k];
      if (!fitsScalar(scalar, component)) throw scalarError(scalar, `component ${k} of ${this.nameOf(i)}`, component);
      storeScalar(scratchView, scalar.name, offset + k * scalar.bytes, component);
    }
  }

  /** Throws if typed bytes would be reinterpreted. Structs are not compared, as each program names its own. */
  #checkDType(i: number, type: ParameterType, value: StandInBytes): void {
    if (value.dtype === undefined || type.scalar === undefined) return;
    const expected = `${type.scalar.name}${type.width ?? ""}`;
    if (value.dtype.cName !== expected) {
      throw wrongType(
        `${this.nameOf(i)} must be of type ${expected}, received a value of type ${value.dtype.name} (${value.dtype.cName})`,
      );
    }
  }

  /** Writes the bytes of a scalar, a vector or a struct. */
  #writeValue(kernel: Handle, i: number, type: ParameterType, offset: number, value: ArrayBufferView): void {
    const bytes = viewBytes(value);
    if (bytes === undefined) throw this.#wrong(i, "a non-empty view whose buffer is not detached", value);
    if (type.kind === "struct" || type.kind === "unknown") {
      this.#writeUnsized(kernel, i, offset, bytes);
      return;
    }
    const exact = type.bytes === bytes.byteLength || (type.width === 3 && bytes.byteLength === (type.bytes / 4) * 3);
    if (!exact) {
      throw this.#wrong(
        i,
        type.kind === "vector" ? `${type.width as number} components` : `${type.bytes} bytes`,
        value,
      );
    }
    // Clear the unused fourth component of a 3-vector, so that equal values compare equal.
    scratch.fill(0, offset, offset + type.bytes);
    scratch.set(bytes, offset);
  }

  #writeUnknown(kernel: Handle, i: number, offset: number, value: unknown): void {
    if (value === null || value instanceof MemoryObject) {
      this.#redescribe(kernel, i, argumentKinds.memory, 0);
      scratchInt32[offset >> 2] = value === null ? 0 : handleOf(value);
      scratchFloat64[(offset >> 3) + 1] = 0;
    } else if (isSvm(value)) {
      this.#redescribe(kernel, i, argumentKinds.memory, 0);
      writeSvm(offset, value);
    } else if (value instanceof LocalMemory) {
      this.#redescribe(kernel, i, argumentKinds.local, 0);
      scratchFloat64[offset >> 3] = value.bytes;
    } else if (value instanceof CommandQueue) {
      this.#redescribe(kernel, i, argumentKinds.queue, 0);
      scratchInt32[offset >> 2] = handleOf(value);
    } else if (value instanceof Sampler) {
      this.#redescribe(kernel, i, argumentKinds.sampler, 0);
      scratchInt32[offset >> 2] = handleOf(value);
    } else if (isView(value) || value instanceof StandInBytes) {
      this.#writeValue(kernel, i, unknownType, offset, value instanceof StandInBytes ? value.view : value);
    } else {
      throw this.#wrong(
        i,
        "a buffer, LocalMemory, a Sampler or a typed array; to pass a number, declare its type with kernel.argTypes, because the runtime does not report it",
        value,
      );
    }
  }

  #writeUnsized(kernel: Handle, i: number, offset: number, bytes: Uint8Array): void {
    const declared = (this.types[i] as ParameterType).bytes;
    if (declared > 0 && bytes.byteLength !== declared) throw this.#wrong(i, `${declared} bytes`, bytes);
    if (bytes.byteLength > Math.max(unsizedRoom, declared)) {
      throw this.#wrong(i, `1 to ${unsizedRoom} bytes, unless kernel.argTypes declares a larger size`, bytes);
    }
    this.#redescribe(kernel, i, argumentKinds.value, bytes.byteLength);
    scratch.set(bytes, offset);
  }

  /** Updates the native side's description of one argument if it changed. */
  #redescribe(kernel: Handle, i: number, kind: number, size: number): void {
    if (this.#layout[3 * i] === kind && this.#layout[3 * i + 1] === size) return;
    this.#layout[3 * i] = kind;
    this.#layout[3 * i + 1] = size;
    native.describeKernel(kernel, this.#layout);
  }

  /** Returns an argument's name for errors: `argument 1 "x" (__global float *) of kernel "saxpy"`. */
  nameOf(i: number): string {
    const name = this.names[i];
    const type = this.types[i];
    return `argument ${i}${name === undefined ? "" : ` "${name}"`}${type === undefined ? "" : ` (${type.text})`} of ${this.#owner}`;
  }

  #wrong(i: number, expected: string, value: unknown): TypeError {
    return typeError(this.nameOf(i), expected, value);
  }

  #countError(received: number): TypeError {
    const list = this.types
      .map((type, i) => `${type.text}${this.names[i] === undefined ? "" : ` ${this.names[i]}`}`)
      .join(", ");
    return wrongValue(
      `${this.#owner} takes ${this.count} argument${this.count === 1 ? "" : "s"} (${list}), received ${received}`,
    );
  }
}
