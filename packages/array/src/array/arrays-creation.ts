/** Creation of arrays from host values, or filled with a constant. */
import { isAnyArrayBuffer } from "node:util/types";

import {
  checkInstance,
  checkOptions,
  checkOrder,
  checkShape,
  completeShape,
  contiguousLayout,
  isContiguous,
  type Layout,
  outOfRange,
  sizeOf,
  typeError,
} from "@cl/base";
import {
  type Allocation,
  type Allocator,
  type CommandQueue,
  type HostMemory,
  HostView,
  type Nested,
  type Shape,
  type TypedArray,
} from "@cl/core";
import { checkElements } from "@cl/core/internal";
import { type ForeignArray, foreignView, type ScijsArray, type StdlibArray } from "../creation/foreign.js";
import { filledElement, nestedElements, numberElement } from "../creation/number-element.js";
import { enqueueFill, ordered, Storage } from "../storage/storage.js";
import { checkArrayType, type DTypeName, type FillValue, type TypedDType } from "../types/dtype-name.js";
import { assign } from "./assign.js";
import { Recipes } from "./dense.js";
import type { Arrays } from "./arrays.js";
import { DeviceArray } from "./device-array.js";
import { type DefaultType, defaultType } from "./default-type.js";

/** The dtype of a new array. */
export interface DTypeOptions<D extends DTypeName> {
  /**
   * The element type.
   * @defaultValue "float64"
   */
  readonly dtype?: D | TypedDType<D>;
}

/** The dtype and memory order of a new array. */
export interface NewOptions<D extends DTypeName> extends DTypeOptions<D> {
  /**
   * C order has the last axis contiguous (row-major), F order the first (column-major).
   * @defaultValue "C"
   */
  readonly order?: "C" | "F";
}

/** Overrides of the prototype array's properties. */
export interface LikeOptions<D extends DTypeName> extends NewOptions<D> {
  /**
   * The shape.
   * @defaultValue the array's
   */
  readonly shape?: Shape;
}

/** Options of `Arrays.fromHost`. */
export interface FromHostOptions<D extends DTypeName> {
  /**
   * Dtype under which the bytes are interpreted; nothing is converted.
   * @defaultValue the typed array's
   */
  readonly dtype?: D | TypedDType<D>;
  /**
   * The shape, of which one extent may be -1.
   * @defaultValue one axis
   */
  readonly shape?: Shape;
}

/** The part of `Arrays` that creates arrays from values, or uninitialized. */
export abstract class ArraysCreation {
  /** The queue of all commands. */
  abstract readonly queue: CommandQueue;
  /** The allocator of device memory. */
  abstract readonly allocator: Allocator<Allocation>;
  /** @internal What operators come to. */
  readonly recipes: Recipes = new Recipes();

  /**
   * Creates an array from nested arrays, a typed array, or an array of another package (@stdlib, scijs, an Arrow
   * vector). Numbers become float64 and bigints int64 unless `dtype` is given.
   */
  array<V extends Nested | TypedArray>(values: V): DeviceArray<DefaultType<V>>;
  array<T extends TypedArray>(values: StdlibArray<T> | ScijsArray<T>): DeviceArray<DefaultType<T>>;
  array(values: ForeignArray): DeviceArray;
  array<D extends DTypeName>(
    values: Nested | TypedArray | ForeignArray,
    options: Required<Pick<DTypeOptions<D>, "dtype">>,
  ): DeviceArray<D>;
  array(given: Nested | TypedArray | ForeignArray, options?: DTypeOptions<DTypeName>): DeviceArray {
    const { dtype } = checkOptions(options, ["dtype"]);
    const foreign = foreignView(given);
    if (foreign instanceof HostView) return this.#ofView(foreign, dtype);
    const values = (foreign ?? given) as Nested | TypedArray;
    const type = dtype === undefined ? defaultType(values, "values") : checkArrayType(dtype, "options.dtype");
    if (ArrayBuffer.isView(values)) return this.fromHost(values, { dtype: type });
    const view = nestedElements(values, type);
    return this.#filled(view.shape, type, view.toArray());
  }

  /** Creates an array from the bytes of a typed array, which is copied before the call returns. */
  fromHost<V extends TypedArray>(values: V, options?: { readonly shape?: Shape }): DeviceArray<DefaultType<V>>;
  fromHost<D extends DTypeName>(values: HostMemory, options: FromHostOptions<D>): DeviceArray<D>;
  fromHost(values: HostMemory, options?: FromHostOptions<DTypeName>): DeviceArray {
    const { dtype, shape } = checkOptions(options, ["dtype", "shape"]);
    const type = dtype === undefined ? defaultType(values, "values") : checkArrayType(dtype, "options.dtype");
    if (!ArrayBuffer.isView(values) && !isAnyArrayBuffer(values)) {
      throw typeError("values", "a typed array, a DataView or an ArrayBuffer", values);
    }
    const bytes = ArrayBuffer.isView(values)
      ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice()
      : new Uint8Array(values).slice();
    checkElements(values, type, "values");
    if (bytes.length % type.itemSize !== 0) {
      throw outOfRange(`values must hold a whole number of ${type.name} elements, received ${bytes.length} bytes`);
    }
    const count = bytes.length / type.itemSize;
    return this.#filled(shape === undefined ? [count] : completeShape(shape, count, "shape", "values"), type, bytes);
  }

  /** Creates an uninitialized array. */
  empty<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const { dtype = "float64", order } = checkOptions(options, ["order", "dtype"]);
    const type = checkArrayType(dtype, "options.dtype") as TypedDType<D>;
    const layout = contiguousLayout(checkShape(shape, "shape"), type.itemSize, checkOrder(order, "options.order"));
    return this.wrap(new Storage(this.allocator, sizeOf(layout.shape) * type.itemSize), type, layout);
  }

  /** Creates an array filled with 0. */
  zeros<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const result = this.empty(shape, options);
    return this.#repeat(result, new Uint8Array(result.itemSize));
  }

  /** Creates an array filled with 1. */
  ones<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options, ["order", "dtype"]).dtype ?? "float64", "options.dtype");
    return this.full(shape, numberElement(type.name, 1) as FillValue<D>, options);
  }

  /** Creates an array filled with a value. */
  full<D extends DTypeName = "float64">(shape: Shape, value: FillValue<D>, options?: NewOptions<D>): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options, ["order", "dtype"]).dtype ?? "float64", "options.dtype");
    const pattern = new Uint8Array(type.itemSize);
    type.set(new DataView(pattern.buffer), 0, filledElement(type.name, value));
    return this.#repeat(this.empty(shape, options), pattern);
  }

  /** Creates an uninitialized array with the shape, dtype and order of another. */
  emptyLike<D extends DTypeName, E extends DTypeName = D>(
    array: DeviceArray<D>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.empty(shape, rest);
  }

  /** Creates an array of zeros with the shape, dtype and order of another. */
  zerosLike<D extends DTypeName, E extends DTypeName = D>(
    array: DeviceArray<D>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.zeros(shape, rest);
  }

  /** Creates an array of ones with the shape, dtype and order of another. */
  onesLike<D extends DTypeName, E extends DTypeName = D>(
    array: DeviceArray<D>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.ones(shape, rest);
  }

  /** Creates an array filled with a value, with the shape, dtype and order of another. */
  fullLike<D extends DTypeName, E extends DTypeName = D>(
    array: DeviceArray<D>,
    value: FillValue<E>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.full(shape, value, rest);
  }

  /** Returns a factory for another queue of the context. */
  abstract withQueue(queue: CommandQueue): Arrays;

  /** @internal An array of this storage. */
  abstract wrap<D extends DTypeName>(storage: Storage, dtype: TypedDType<D>, layout: Layout): DeviceArray<D>;

  /** Returns the elements of a view in their own type, then converted to the requested one. */
  #ofView(view: HostView, dtype: DTypeName | TypedDType<DTypeName> | undefined): DeviceArray {
    const own = checkArrayType(view.dtype, "values.dtype");
    const wanted = dtype === undefined ? own : checkArrayType(dtype, "options.dtype");
    const array = this.#filled(view.shape, own, view.toArray());
    if (wanted === own) return array;
    using source = array;
    return source.astype(wanted);
  }

  /** The caller must not change the bytes afterwards: they are read later. */
  #filled<D extends DTypeName>(shape: readonly number[], type: TypedDType<D>, bytes: TypedArray): DeviceArray<D> {
    const result = this.empty(shape, { dtype: type });
    if (result.size === 0) return result;
    const { storage } = result.operand();
    ordered(this.queue, [], [storage], (waitFor) =>
      this.queue.enqueueCopy(storage.memory, bytes, { bytes: bytes.byteLength, waitFor }),
    );
    return result;
  }

  #repeat<D extends DTypeName>(target: DeviceArray<D>, pattern: Uint8Array): DeviceArray<D> {
    if (target.size === 0) return target;
    const { storage } = target.operand();
    if (target.nbytes > maxFilled && target.size > 1) {
      using one = this.#repeat(this.empty([], { dtype: target.dtype }), pattern);
      assign(target, one);
      return target;
    }
    ordered(this.queue, [], [storage], (waitFor) =>
      enqueueFill(this.queue, storage, pattern, { bytes: target.nbytes, waitFor }),
    );
    return target;
  }
}

/** NVIDIA's driver cannot fill what is 2^31 bytes behind the beginning of a buffer: what is so large is filled by a kernel. */
const maxFilled = 2 ** 30;

interface Like<E extends DTypeName> {
  readonly shape: Shape;
  readonly dtype: TypedDType<E>;
  readonly order: "C" | "F";
}

/** Keeps F order for arrays that are contiguous in F order but not in C order. */
function likeOptions<E extends DTypeName>(array: DeviceArray, options: LikeOptions<E> | undefined): Like<E> {
  checkInstance(array, DeviceArray, "array");
  const { shape = array.shape, dtype = array.dtype, order } = checkOptions(options, ["shape", "order", "dtype"]);
  const { layout } = array.operand();
  const own = !array.isContiguous && isContiguous(layout, array.itemSize, "F") ? "F" : "C";
  return { shape, dtype: checkArrayType(dtype, "options.dtype") as TypedDType<E>, order: order ?? own };
}
