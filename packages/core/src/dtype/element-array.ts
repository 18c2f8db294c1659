/** Host arrays of any element type. */
import { bytesOver, checkInteger, outOfRange, rangeError, typeError } from "@cl/base";

import { bytesOf, type DType, type DTypeValue } from "./dtype.js";
import { elementTypeName, hostBytes, type HostMemory, isHostMemory } from "./host-array.js";
import { checkDType, type DTypeLike } from "./registry.js";
import type { TypedArray } from "../typed/index.js";

/**
 * A host array of any element type, such as structs, vectors, complex numbers or halves. Use its {@link array} to
 * create buffers and to read into.
 *
 * @example
 * ```ts
 * const points = ElementArray.from("float3", [[1, 2, 3], [4, 5, 6]]);
 * const onDevice = DeviceBuffer.from(context, points.array);
 * await queue.read(onDevice, { into: points.array });
 * console.log(points.get(1)); // [ 4, 5, 6 ]
 * ```
 */
export class ElementArray implements Iterable<DTypeValue> {
  /** The element type. */
  readonly dtype: DType;
  /** Number of elements. */
  readonly length: number;
  /** The memory as bytes. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #array: TypedArray | undefined;

  /** Creates an array of `memory` zeroed elements, or over the given host memory without copying it. */
  constructor(type: DTypeLike, memory: number | HostMemory) {
    this.dtype = checkDType(type, "type");
    const { itemSize } = this.dtype;
    if (isHostMemory(memory)) {
      this.bytes = bytesIn(memory);
      if (this.bytes.byteLength % itemSize !== 0) {
        throw rangeError("memory", `a whole number of ${this.dtype.name} elements of ${itemSize} bytes`, memory);
      }
    } else {
      if (typeof memory !== "number") throw typeError("memory", "a number of elements, or host memory", memory);
      const maxLength = Math.floor(maxBytes / itemSize);
      this.bytes = new Uint8Array(checkInteger(memory, "memory", 0, maxLength) * itemSize);
    }
    this.length = this.bytes.byteLength / itemSize;
    this.#view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  /** Creates an array with the given values. */
  static from(type: DTypeLike, values: Iterable<DTypeValue>): ElementArray {
    const dtype = checkDType(type, "type");
    if (typeof (values as Partial<Iterable<DTypeValue>> | null)?.[Symbol.iterator] !== "function") {
      throw typeError("values", "an array or another iterable", values);
    }
    const list = [...values].map((value, i) => bytesOf(dtype, value, `values[${i}]`));
    const array = new ElementArray(dtype, list.length);
    for (const [i, bytes] of list.entries()) array.bytes.set(bytes, i * dtype.itemSize);
    return array;
  }

  /** The memory as a typed array of the type's scalars: a `Float32Array` for `float3`. */
  get array(): TypedArray {
    this.#array ??= this.#typedArray();
    return this.#array;
  }

  #typedArray(): TypedArray {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const { arrayType } = this.dtype;
    const width = arrayType.BYTES_PER_ELEMENT;
    if (byteOffset % width !== 0) {
      throw outOfRange(
        `the array starts at byte ${byteOffset} of its memory, which is not aligned for ${elementTypeName(arrayType)}: use bytes`,
      );
    }
    const Constructor = arrayType as unknown as new (memory: ArrayBufferLike, at: number, length: number) => TypedArray;
    return new Constructor(buffer, byteOffset, byteLength / width);
  }

  /** Returns an element. A negative index counts from the end. */
  get(index: number): DTypeValue {
    return this.dtype.get(this.#view, this.#byteOffset(index));
  }

  /** Sets an element. Throws, without changing anything, if the type cannot represent the value. */
  set(index: number, value: DTypeValue): void {
    this.dtype.set(this.#view, this.#byteOffset(index), value);
  }

  #byteOffset(index: number): number {
    const checked = checkInteger(index, "index", -this.length, this.length - 1);
    return (checked < 0 ? checked + this.length : checked) * this.dtype.itemSize;
  }

  /** Iterates over the values. */
  *[Symbol.iterator](): Generator<DTypeValue, undefined, undefined> {
    for (let i = 0; i < this.length; i++) yield this.get(i);
    return undefined;
  }
}

function bytesIn(memory: HostMemory): Uint8Array {
  return bytesOver(hostBytes(memory, "memory", true));
}

/** Maximum size of an array in the oldest supported engine. */
const maxBytes = 2 ** 32;
