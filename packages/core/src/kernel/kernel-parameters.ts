/**
 * A kernel's parameters at run time: their names and types, where each lies in the scratch block, and how a JavaScript
 * value is checked and written there. This is the half of the launch path that runs in JavaScript.
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
import { codeOf, nativeKind, openRoom, parameterCodes, roomOf } from "./parameter-code.js";
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

/** Halves lie in Uint16Arrays where there is no Float16Array. */
const halfCode = scalarTypes.half.code;
const ushortCode = scalarTypes.ushort.code;

const scratchView = new DataView(scratch.buffer);

function isBuffer(value: unknown): value is DeviceBuffer {
  return value instanceof DeviceBuffer;
}

/** A copy of the components of a vector. An array of another length stays what it is, to be refused. */
function copyOf(value: readonly unknown[], width: number): readonly unknown[] {
  return value.length === width ? Array.from({ length: width }, (_, k) => value[k]) : value;
}

/** The handle, and how far into the memory that it names. */
function writeSvm(offset: number, value: SvmPointer): void {
  scratchInt32[offset >> 2] = handleOf(value);
  scratchFloat64[(offset >> 3) + 1] = value.byteOffset;
}

/** What a struct takes, or a type of which only the name is known. */
function bytesWords({ text, bytes }: ParameterType): string {
  const known = `a typed array or DataView with its ${bytes > 0 ? `${bytes} ` : ""}bytes`;
  return bytes > 0 ? known : `${known}, since the program's source does not tell what ${text} is (kernel.argTypes can)`;
}

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
  /** The kinds of images that parameters take. */
  readonly #imageTypes: Int32Array;
  /** Bounds of integers, side by side with the rest: looking them up in the types costs 5 ns an argument. */
  readonly #minima: Float64Array;
  readonly #maxima: Float64Array;
  /** True if a declared type makes something else of a value before it is written. */
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
      offset += Math.ceil(roomOf(type) / 16) * 16;
    }
    if (offset > scratch.byteLength) throw rangeError("kernel", "one whose arguments fit 64 KiB", owner);
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
      throw rangeError(
        "parameter",
        `an argument of ${this.#owner}: 0 to ${this.count - 1}${known ? `, or ${known}` : ""}`,
        parameter,
      );
    }
    return index;
  }

  /** The type of an argument that a launch list can bring: a scalar that takes numbers, without a declared type. */
  numberType(i: number): ScalarType | undefined {
    const type = this.types[i];
    if (type?.kind !== "scalar" || type.adapt !== undefined) return undefined;
    const { scalar } = type;
    return scalar === undefined || scalar.name === "half" ? undefined : scalar;
  }

  /** The number that an argument has now; a bigint for a 64-bit integer. */
  read(kernel: Handle, i: number, scalar: ScalarType): number | bigint {
    native.readKernelArgument(kernel, i);
    return loadScalar(scratchView, scalar.name, this.#offsets[i] as number);
  }

  /** The arguments by name, for sizes that depend on them. */
  named(args: readonly unknown[]): Record<string, unknown> {
    return Object.fromEntries(this.names.flatMap((name, i) => (name === undefined ? [] : [[name, args[i]]])));
  }

  /**
   * Writes all arguments into the scratch block. If code of the caller ran meanwhile, which may have used the block itself,
   * it returns the resolved arguments instead: write the sizes again, then call {@link writeResolved}, which runs no such
   * code.
   */
  writeAll(kernel: Handle, args: readonly unknown[]): readonly unknown[] | undefined {
    const count = this.#codes.length;
    if (args.length !== count) throw this.#countError(args.length);
    if (this.#adapts) return this.#resolveAll(args);
    const turn = beginWrite();
    const codes = this.#codes;
    const offsets = this.#offsets;
    let i = 0;
    try {
      for (; i < count; i++) {
        const value = args[i];
        const offset = offsets[i] as number;
        // The three commonest kinds right here, where V8 keeps them in one piece; everything else, and every mistake,
        // goes through write(). That takes a launch with four arguments from 85 ns to 70 (bench: launch-4args-null).
        switch (codes[i] as number) {
          case parameterCodes.memory:
            if (isBuffer(value) && this.#takes(i, value)) {
              scratchInt32[offset >> 2] = bufferHandle(value);
              scratchFloat64[(offset >> 3) + 1] = 0;
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
        if (standsForOther(value)) break;
        this.#write(kernel, i, value);
      }
    } catch (error) {
      throw this.#named(i, error);
    }
    return i === count && isUndisturbed(turn) ? undefined : this.#resolveAll(args);
  }

  #resolveAll(args: readonly unknown[]): readonly unknown[] {
    return args.map((value, i) => this.resolve(value, i));
  }

  /** Writes all arguments when nothing in them is left to resolve. */
  writeResolved(kernel: Handle, resolved: readonly unknown[]): void {
    if (resolved.length !== this.count) throw this.#countError(resolved.length);
    for (const [i, value] of resolved.entries()) this.write(kernel, i, value);
  }

  /**
   * What a declared type makes of a value, or what stands in for one that implements the protocol. Arrays are copied, since
   * their getters may run any code.
   */
  resolve(value: unknown, i: number): unknown {
    if (this.types[i]?.adapt !== undefined) return this.adapt(value, i);
    if (Array.isArray(value)) return copyOf(value, this.types[i]?.width ?? 0);
    return standsForOther(value) ? standIn(value, this.nameOf(i)) : value;
  }

  /** What a declared type makes of a value; the value itself if there is none. */
  adapt(value: unknown, i: number): unknown {
    const adapt = this.types[i]?.adapt;
    if (adapt === undefined) return value;
    try {
      return adapt(value, this.nameOf(i));
    } catch (error) {
      throw this.#named(i, error);
    }
  }

  /** Checks one value and writes it where the native call that follows reads it. */
  write(kernel: Handle, i: number, value: unknown): void {
    beginWrite();
    try {
      this.#write(kernel, i, value);
    } catch (error) {
      throw this.#named(i, error);
    }
  }

  /** Says of which argument a released object is; all other errors say it by themselves. */
  #named(i: number, error: unknown): unknown {
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
      if (!isView(value)) throw this.#wrong(i, bytesWords(type), value);
      this.#writeValue(kernel, i, type, offset, value);
    }
  }

  #checkImage(i: number, value: unknown): asserts value is MemoryObject {
    const type = this.types[i] as ParameterType;
    if (takesImage(type, this.#imageTypes[i] as number, value)) return;
    const what = type.text.includes("image") ? `an image that suits ${type.text}` : "an image";
    throw this.#wrong(i, what, value instanceof Image ? value.toString() : value);
  }

  /** True if a buffer's elements are what a pointer points to, as far as both are known. */
  #takes(i: number, buffer: DeviceBuffer): boolean {
    return this.#takesElements(i, elementCodeOf(buffer));
  }

  #takesElements(i: number, has: number): boolean {
    const wants = this.#elements[i] as number;
    return has === wants || has === 0 || wants === 0 || (wants === halfCode && has === ushortCode);
  }

  #writeMemory(i: number, offset: number, value: unknown): void {
    if (isSvm(value)) {
      if (!this.#takesElements(i, svmElementCode(value))) {
        throw elementMismatch(this.nameOf(i), this.types[i] as ParameterType, "shared memory", value.type);
      }
      writeSvm(offset, value);
      return;
    }
    if (value === null) {
      scratchInt32[offset >> 2] = 0;
    } else {
      if (!isBuffer(value)) throw this.#wrong(i, "a DeviceBuffer, or null, or shared virtual memory", value);
      if (!this.#takes(i, value)) {
        throw elementMismatch(this.nameOf(i), this.types[i] as ParameterType, "a buffer", value.type);
      }
      scratchInt32[offset >> 2] = bufferHandle(value);
    }
    scratchFloat64[(offset >> 3) + 1] = 0;
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
      const one: unknown = value[k];
      if (!fitsScalar(scalar, one)) throw scalarError(scalar, `component ${k} of ${this.nameOf(i)}`, one);
      storeScalar(scratchView, scalar.name, offset + k * scalar.bytes, one);
    }
  }

  /** Bytes that have a type are not reinterpreted as another. Structs have names of their own in each program. */
  #checkDType(i: number, type: ParameterType, value: StandInBytes): void {
    if (value.dtype === undefined || type.scalar === undefined) return;
    const takes = `${type.scalar.name}${type.width ?? ""}`;
    if (value.dtype.cName !== takes) {
      throw wrongType(
        `${this.nameOf(i)} must be of type ${takes}, received a value of type ${value.dtype.name} (${value.dtype.cName})`,
      );
    }
  }

  /** Bytes of a scalar, a vector or a struct. */
  #writeValue(kernel: Handle, i: number, type: ParameterType, offset: number, value: ArrayBufferView): void {
    const bytes = viewBytes(value);
    if (bytes === undefined) throw this.#wrong(i, "a view of memory that is still there, and not empty", value);
    if (type.kind === "struct" || type.kind === "unknown") {
      this.#writeOpen(kernel, i, offset, bytes);
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
    // A 3-vector's fourth component is nobody's, but must not look changed at each launch.
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
        "a buffer, LocalMemory, a Sampler or a typed array: the runtime does not tell its type, so a plain number has none (set kernel.argTypes)",
        value,
      );
    }
  }

  #writeOpen(kernel: Handle, i: number, offset: number, bytes: Uint8Array): void {
    const declared = (this.types[i] as ParameterType).bytes;
    if (declared > 0 && bytes.byteLength !== declared) throw this.#wrong(i, `${declared} bytes`, bytes);
    if (bytes.byteLength > Math.max(openRoom, declared)) {
      throw this.#wrong(i, `1 to ${openRoom} bytes, unless kernel.argTypes says more`, bytes);
    }
    this.#redescribe(kernel, i, argumentKinds.value, bytes.byteLength);
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

  #countError(came: number): TypeError {
    const list = this.types
      .map((type, i) => `${type.text}${this.names[i] === undefined ? "" : ` ${this.names[i]}`}`)
      .join(", ");
    return wrongValue(
      `${this.#owner} takes ${this.count} argument${this.count === 1 ? "" : "s"} (${list}), received ${came}`,
    );
  }
}
