/** Arrays of any element type over host memory: what typed arrays are for numbers. */
import { bytesOver, checkInteger, outOfRange, rangeError, typeError } from "@cl/base";

import { bytesOf, type DType, type DTypeValue } from "./dtype.js";
import { elementTypeName, hostBytes, type HostMemory, isHostMemory } from "./host-array.js";
import { checkDType, type DTypeLike } from "./registry.js";
import type { TypedArray } from "../typed/index.js";

/**
 * Elements of any type in host memory: structs, vectors, complex numbers, halves. Its {@link array} is what buffers are
 * made from and read into.
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
  /** The type of its elements. */
  readonly dtype: DType;
  /** How many there are. */
  readonly length: number;
  /** Its memory, as bytes. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #array: TypedArray | undefined;

  /** So many elements, all bytes zero, or the elements in `memory`, which is not copied. */
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
      const most = Math.floor(largest / itemSize);
      this.bytes = new Uint8Array(checkInteger(memory, "memory", 0, most) * itemSize);
    }
    this.length = this.bytes.byteLength / itemSize;
    this.#view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  /** An array of these values. */
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

  /** Its memory as the typed array of the type's scalars, which buffers are made from: a `Float32Array` for `float3`. */
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
        `the array begins at byte ${byteOffset} of its memory, where no ${elementTypeName(arrayType)} can: use bytes`,
      );
    }
    const Constructor = arrayType as unknown as new (memory: ArrayBufferLike, at: number, length: number) => TypedArray;
    return new Constructor(buffer, byteOffset, byteLength / width);
  }

  /** An element; a negative index counts from the end. */
  get(index: number): DTypeValue {
    return this.dtype.get(this.#view, this.#place(index));
  }

  /** Changes an element. A value that the type does not hold throws, and then nothing has changed. */
  set(index: number, value: DTypeValue): void {
    this.dtype.set(this.#view, this.#place(index), value);
  }

  #place(index: number): number {
    const place = checkInteger(index, "index", -this.length, this.length - 1);
    return (place < 0 ? place + this.length : place) * this.dtype.itemSize;
  }

  /** Its values, one after the other. */
  *[Symbol.iterator](): Generator<DTypeValue, undefined, undefined> {
    for (let i = 0; i < this.length; i++) yield this.get(i);
    return undefined;
  }
}

function bytesIn(memory: HostMemory): Uint8Array {
  return bytesOver(hostBytes(memory, "memory", true));
}

/** What the oldest engine that we run on allows for one array. */
const largest = 2 ** 32;
