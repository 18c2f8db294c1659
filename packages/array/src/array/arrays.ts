/** Where arrays come from: one queue, and one place for memory. */
import {
  type Allocator,
  CommandQueue,
  DeviceBuffer,
  type HostMemory,
  HostView,
  type Nested,
  type Shape,
  type TypedArray,
} from "@cl/core";
import {
  checkElements,
  checkInstance,
  checkInteger,
  checkOptions,
  outOfRange,
  rangeError,
  typeError,
  wrongValue,
} from "@cl/core/checks";
import { checkOrder, checkShape, completeShape, contiguousLayout, sizeOf } from "@cl/core/layouts";
import { ordered, Storage } from "../storage/storage.js";
import { checkArrayType, type DTypeName, type TypedDType, typeNamed, type ValueOf } from "../types/dtype-name.js";
import { DeviceArray } from "./device-array.js";
import { type DefaultType, defaultType } from "./default-type.js";

/** Where arrays take their memory. */
export interface ArraysOptions {
  /** What gives memory, such as a pool of `@cl/tools`; buffers of the context if not said. */
  readonly allocator?: Allocator;
}

/** What the elements of a new array are. */
export interface TypeOptions<D extends DTypeName> {
  /** float64 if not said. */
  readonly dtype?: D | TypedDType<D>;
}

/** How a new array is laid out. */
export interface NewOptions<D extends DTypeName> extends TypeOptions<D> {
  /** Which axis is next to each other in memory: the last (`"C"`, if not said) or the first (`"F"`). */
  readonly order?: "C" | "F";
}

/** How to take an array of the host. */
export interface FromHostOptions<D extends DTypeName> {
  /** What the elements are; those of the array if not said. Nothing is converted. */
  readonly dtype?: D | TypedDType<D>;
  /** The extents, of which one may be -1; one axis if not said. */
  readonly shape?: Shape;
}

/**
 * Everything that makes arrays, bound to a queue, on which all their commands are enqueued.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
 * console.log(await a.add(a.slice(0)).data()); // Float32Array(6) [0, 2, 4, 3, 5, 7]
 * ```
 */
export function arrays(queue: CommandQueue, options?: ArraysOptions): Arrays {
  return new Arrays(queue, options);
}

/** The functions that make arrays of a queue; {@link arrays} makes it. */
export class Arrays {
  /** The queue of all commands. */
  readonly queue: CommandQueue;
  /** What gives memory. */
  readonly allocator: Allocator;

  constructor(queue: CommandQueue, options?: ArraysOptions) {
    this.queue = checkInstance(queue, CommandQueue, "queue");
    const { allocator } = checkOptions(options);
    this.allocator = allocator === undefined ? plainAllocator(queue) : checkAllocator(allocator, queue);
  }

  /** An array of these values: nested arrays, or a typed array. Numbers are float64, bigints int64, unless said otherwise. */
  array<V extends Nested | TypedArray>(values: V): DeviceArray<DefaultType<V>>;
  array<D extends DTypeName>(
    values: Nested | TypedArray,
    options: Required<Pick<TypeOptions<D>, "dtype">>,
  ): DeviceArray<D>;
  array(values: Nested | TypedArray, options?: TypeOptions<DTypeName>): DeviceArray {
    const { dtype } = checkOptions(options);
    const type = dtype === undefined ? defaultType(values, "values") : checkArrayType(dtype, "options.dtype");
    if (ArrayBuffer.isView(values)) return this.fromHost(values, { dtype: type });
    const view = HostView.from(values, type);
    return this.#filled(view.shape, type, view.toArray());
  }

  /** An array with the elements of a typed array, which is taken at once. */
  fromHost<V extends TypedArray>(values: V, options?: { readonly shape?: Shape }): DeviceArray<DefaultType<V>>;
  fromHost<D extends DTypeName>(values: HostMemory, options: FromHostOptions<D>): DeviceArray<D>;
  fromHost(values: HostMemory, options?: FromHostOptions<DTypeName>): DeviceArray {
    const { dtype, shape } = checkOptions(options);
    const type = dtype === undefined ? defaultType(values, "values") : checkArrayType(dtype, "options.dtype");
    const bytes = ArrayBuffer.isView(values)
      ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice()
      : new Uint8Array(values).slice();
    checkElements(values, type, "values");
    if (bytes.length % type.itemSize !== 0) {
      throw outOfRange(`values has ${bytes.length} bytes, which is no whole number of ${type.name} elements`);
    }
    const count = bytes.length / type.itemSize;
    return this.#filled(shape === undefined ? [count] : completeShape(shape, count, "shape", "values"), type, bytes);
  }

  /** New memory, not initialized. */
  empty<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const { dtype = "float64", order } = checkOptions(options);
    const type = checkArrayType(dtype, "options.dtype") as TypedDType<D>;
    const layout = contiguousLayout(checkShape(shape, "shape"), type.itemSize, checkOrder(order, "options.order"));
    return new DeviceArray(this, new Storage(this.allocator, sizeOf(layout.shape) * type.itemSize), type, layout);
  }

  /** Every element 0. */
  zeros<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const result = this.empty(shape, options);
    return this.#repeat(result, new Uint8Array(result.itemSize));
  }

  /** Every element 1. */
  ones<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options).dtype ?? "float64", "options.dtype");
    return this.full(shape, oneOf(type.name) as ValueOf<D>, options);
  }

  /** Every element the same. */
  full<D extends DTypeName = "float64">(shape: Shape, value: ValueOf<D>, options?: NewOptions<D>): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options).dtype ?? "float64", "options.dtype");
    const pattern = new Uint8Array(type.itemSize);
    type.set(new DataView(pattern.buffer), 0, value);
    return this.#repeat(this.empty(shape, options), pattern);
  }

  /** Memory of an array's shape and type, not initialized. */
  emptyLike<D extends DTypeName>(array: DeviceArray<D>): DeviceArray<D> {
    return this.empty(checkInstance(array, DeviceArray, "array").shape, { dtype: array.dtype });
  }

  /** Zeros of an array's shape and type. */
  zerosLike<D extends DTypeName>(array: DeviceArray<D>): DeviceArray<D> {
    return this.zeros(checkInstance(array, DeviceArray, "array").shape, { dtype: array.dtype });
  }

  /** Ones of an array's shape and type. */
  onesLike<D extends DTypeName>(array: DeviceArray<D>): DeviceArray<D> {
    return this.ones(checkInstance(array, DeviceArray, "array").shape, { dtype: array.dtype });
  }

  /** The same value in an array's shape and type. */
  fullLike<D extends DTypeName>(array: DeviceArray<D>, value: ValueOf<D>): DeviceArray<D> {
    return this.full(checkInstance(array, DeviceArray, "array").shape, value, { dtype: array.dtype.name });
  }

  /** `0, 1, 2 …` before `stop`. */
  arange<D extends DTypeName = "float64">(stop: number, options?: TypeOptions<D>): DeviceArray<D>;
  /** `start, start + step …` before `stop`. */
  arange<D extends DTypeName = "float64">(
    start: number,
    stop: number,
    step?: number,
    options?: TypeOptions<D>,
  ): DeviceArray<D>;
  arange(...args: readonly unknown[]): DeviceArray {
    const options = (typeof args.at(-1) === "number" ? undefined : args.at(-1)) as TypeOptions<DTypeName> | undefined;
    const numbers = options === undefined ? args : args.slice(0, -1);
    const [start, stop, step = 1] = numbers.length < 2 ? [0, numbers[0]] : numbers;
    for (const [name, value] of Object.entries({ start, stop, step })) checkFinite(value, name);
    if (step === 0) throw rangeError("step", "a number other than 0", step);
    const [first, width] = [start as number, step as number];
    const count = Math.max(0, Math.ceil(((stop as number) - first) / width));
    return this.#computed([count], options, (i) => first + i * width);
  }

  /** So many numbers from `start` to `stop`, which is the last of them. */
  linspace<D extends DTypeName = "float64">(
    start: number,
    stop: number,
    count: number,
    options?: TypeOptions<D>,
  ): DeviceArray<D> {
    checkFinite(start, "start");
    checkFinite(stop, "stop");
    checkInteger(count, "count");
    const step = count > 1 ? (stop - start) / (count - 1) : 0;
    return this.#computed([count], options, (i) => (i > 0 && i === count - 1 ? stop : start + i * step));
  }

  /** A matrix with ones on its diagonal, moved to the right by `diagonal`. */
  eye<D extends DTypeName = "float64">(
    rows: number,
    options?: TypeOptions<D> & { readonly columns?: number; readonly diagonal?: number },
  ): DeviceArray<D> {
    const { columns = rows, diagonal = 0, dtype = "float64" } = checkOptions(options);
    checkInteger(rows, "rows");
    checkInteger(columns, "options.columns");
    checkInteger(diagonal, "options.diagonal", -Number.MAX_SAFE_INTEGER);
    const result = this.zeros([rows, columns], { dtype: dtype as D });
    const [row, column] = diagonal < 0 ? [-diagonal, 0] : [0, diagonal];
    const count = Math.min(rows - row, columns - column);
    if (count <= 0) return result;
    // The diagonal is evenly spaced in memory, so it is a part of the array with one axis.
    const first = row * columns + column;
    using flat = result.ravel();
    using line = flat.slice([first, first + (count - 1) * (columns + 1) + 1, columns + 1]);
    line.assign(oneOf(dtype as DTypeName) as ValueOf<D>);
    return result;
  }

  /** Numbers are made on the host in float64, so that they are the same on each device. */
  #computed<D extends DTypeName>(
    shape: readonly number[],
    options: TypeOptions<D> | undefined,
    value: (index: number) => number,
  ): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options).dtype ?? "float64", "options.dtype") as TypedDType<D>;
    const size = sizeOf(shape);
    const view = new DataView(new ArrayBuffer(size * type.itemSize));
    const name: DTypeName = type.name;
    for (let i = 0; i < size; i++) {
      const one = value(i);
      type.set(view, i * type.itemSize, elementOf(name, one));
    }
    return this.#filled(shape, type, new Uint8Array(view.buffer));
  }

  /** The bytes must be nobody else's: they are read later. */
  #filled<D extends DTypeName>(shape: readonly number[], type: TypedDType<D>, bytes: TypedArray): DeviceArray<D> {
    const result = this.empty(shape, { dtype: type });
    if (result.size === 0) return result;
    const { storage } = result.operand();
    ordered(this.queue, [], storage, (waitFor) =>
      this.queue.enqueueCopy(storage.memory, bytes, { bytes: bytes.byteLength, waitFor }),
    );
    return result;
  }

  #repeat<D extends DTypeName>(target: DeviceArray<D>, pattern: Uint8Array): DeviceArray<D> {
    if (target.size === 0) return target;
    const { storage } = target.operand();
    ordered(this.queue, [], storage, (waitFor) =>
      this.queue.enqueueFill(storage.memory, pattern, { bytes: target.nbytes, waitFor }),
    );
    return target;
  }
}

function plainAllocator({ context }: CommandQueue): Allocator {
  return { context, allocate: (bytes) => (bytes === 0 ? null : new DeviceBuffer(context, bytes)) };
}

function checkAllocator(allocator: Allocator, queue: CommandQueue): Allocator {
  if (typeof (allocator as Partial<Allocator> | null)?.allocate !== "function") {
    throw typeError("options.allocator", "an object with allocate()", allocator);
  }
  if (allocator.context.equals(queue.context)) return allocator;
  throw wrongValue("options.allocator gives memory of another context than the queue's");
}

function checkFinite(value: unknown, name: string): void {
  if (!Number.isFinite(value)) throw rangeError(name, "a finite number", value);
}

function oneOf(name: DTypeName): ValueOf<DTypeName> {
  return elementOf(name, 1);
}

/** A number as the value of an element: cut to an integer where the type has no fractions. */
function elementOf(name: DTypeName, value: number): ValueOf<DTypeName> {
  const { kind } = typeNamed(name);
  if (kind === "bool") return value !== 0;
  if (kind === "complex") return { re: value, im: 0 };
  if (kind === "float") return value;
  return name === "int64" || name === "uint64" ? BigInt(Math.trunc(value)) : Math.trunc(value);
}
