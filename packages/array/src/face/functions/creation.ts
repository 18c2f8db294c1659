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
  outOfRange,
  sizeOf,
  typeError,
} from "@cl/base";
import { type HostMemory, HostView, type Nested, type Shape, type TypedArray } from "@cl/core";
import { checkElements } from "@cl/core/internal";
import { type ForeignArray, foreignView, type ScijsArray, type StdlibArray } from "../../creation/foreign.js";
import { filledElement, nestedElements, numberElement } from "../../creation/number-element.js";
import { enqueueFill, ordered, Storage } from "../../storage/storage.js";
import { checkArrayType, type DTypeName, type FillValue, type TypedDType } from "../../types/dtype-name.js";
import { assign } from "../../elementwise/assign.js";
import { type DefaultType, defaultType } from "../../types/default-type.js";
import { Arrays, DeviceArray } from "../../array/arrays.js";
import type { DTypeOptions, FromHostOptions, NewOptions } from "../../storage/array-ref.js";
import { addMethods } from "../../array/add-methods.js";

/** Overrides of the prototype array's properties. */
export interface LikeOptions<D extends DTypeName> extends NewOptions<D> {
  /**
   * The shape.
   * @defaultValue the array's
   */
  readonly shape?: Shape;
}

/** Functions that create arrays from values, or uninitialized. */
class CreationFunctions {
  /**
   * Creates an array from nested arrays, a typed array, or an array of another package (@stdlib, scijs, an Arrow
   * vector). Numbers become float64 and bigints int64 unless `dtype` is given.
   */
  array<V extends Nested | TypedArray>(this: Arrays, values: V): DeviceArray<DefaultType<V>>;
  array<T extends TypedArray>(this: Arrays, values: StdlibArray<T> | ScijsArray<T>): DeviceArray<DefaultType<T>>;
  array(this: Arrays, values: ForeignArray): DeviceArray;
  array<D extends DTypeName>(
    this: Arrays,
    values: Nested | TypedArray | ForeignArray,
    options: Required<Pick<DTypeOptions<D>, "dtype">>,
  ): DeviceArray<D>;
  array(this: Arrays, given: Nested | TypedArray | ForeignArray, options?: DTypeOptions<DTypeName>): DeviceArray {
    const { dtype } = checkOptions(options, ["dtype"]);
    const foreign = foreignView(given);
    if (foreign instanceof HostView) return ofView(this, foreign, dtype);
    const values = (foreign ?? given) as Nested | TypedArray;
    const type = dtype === undefined ? defaultType(values, "values") : checkArrayType(dtype, "options.dtype");
    if (ArrayBuffer.isView(values)) return this.fromHost(values, { dtype: type });
    const view = nestedElements(values, type);
    return fromBytes(this, view.shape, type, view.toArray());
  }

  /** Creates an array from the bytes of a typed array, which is copied before the call returns. */
  fromHost<V extends TypedArray>(
    this: Arrays,
    values: V,
    options?: { readonly shape?: Shape },
  ): DeviceArray<DefaultType<V>>;
  fromHost<D extends DTypeName>(this: Arrays, values: HostMemory, options: FromHostOptions<D>): DeviceArray<D>;
  fromHost(this: Arrays, values: HostMemory, options?: FromHostOptions<DTypeName>): DeviceArray {
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
    return fromBytes(this, shape === undefined ? [count] : completeShape(shape, count, "shape", "values"), type, bytes);
  }

  /** Creates an uninitialized array. */
  empty<D extends DTypeName = "float64">(this: Arrays, shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const { dtype = "float64", order } = checkOptions(options, ["order", "dtype"]);
    const type = checkArrayType(dtype, "options.dtype") as TypedDType<D>;
    const layout = contiguousLayout(checkShape(shape, "shape"), type.itemSize, checkOrder(order, "options.order"));
    return this.wrap(new Storage(this.allocator, sizeOf(layout.shape) * type.itemSize), type, layout);
  }

  /** Creates an array filled with 0. */
  zeros<D extends DTypeName = "float64">(this: Arrays, shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const result = this.empty(shape, options);
    return repeat(this, result, new Uint8Array(result.itemSize));
  }

  /** Creates an array filled with 1. */
  ones<D extends DTypeName = "float64">(this: Arrays, shape: Shape, options?: NewOptions<D>): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options, ["order", "dtype"]).dtype ?? "float64", "options.dtype");
    return this.full(shape, numberElement(type.name, 1) as FillValue<D>, options);
  }

  /** Creates an array filled with a value. */
  full<D extends DTypeName = "float64">(
    this: Arrays,
    shape: Shape,
    value: FillValue<D>,
    options?: NewOptions<D>,
  ): DeviceArray<D> {
    const type = checkArrayType(checkOptions(options, ["order", "dtype"]).dtype ?? "float64", "options.dtype");
    const pattern = new Uint8Array(type.itemSize);
    type.set(new DataView(pattern.buffer), 0, filledElement(type.name, value));
    return repeat(this, this.empty(shape, options), pattern);
  }

  /** Creates an uninitialized array with the shape, dtype and order of another. */
  emptyLike<D extends DTypeName, E extends DTypeName = D>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.empty(shape, rest);
  }

  /** Creates an array of zeros with the shape, dtype and order of another. */
  zerosLike<D extends DTypeName, E extends DTypeName = D>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.zeros(shape, rest);
  }

  /** Creates an array of ones with the shape, dtype and order of another. */
  onesLike<D extends DTypeName, E extends DTypeName = D>(
    this: Arrays,
    array: DeviceArray<D>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.ones(shape, rest);
  }

  /** Creates an array filled with a value, with the shape, dtype and order of another. */
  fullLike<D extends DTypeName, E extends DTypeName = D>(
    this: Arrays,
    array: DeviceArray<D>,
    value: FillValue<E>,
    options?: LikeOptions<E>,
  ): DeviceArray<E> {
    const { shape, ...rest } = likeOptions(array, options);
    return this.full(shape, value, rest);
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends CreationFunctions {}
}
addMethods(Arrays, CreationFunctions);

/** Returns the elements of a view in their own type, then converted to the requested one. */
function ofView(xp: Arrays, view: HostView, dtype: DTypeName | TypedDType<DTypeName> | undefined): DeviceArray {
  const own = checkArrayType(view.dtype, "values.dtype");
  const wanted = dtype === undefined ? own : checkArrayType(dtype, "options.dtype");
  const array = fromBytes(xp, view.shape, own, view.toArray());
  if (wanted === own) return array;
  using source = array;
  return source.astype(wanted);
}

/** The caller must not change the bytes afterwards: they are read later. */
function fromBytes<D extends DTypeName>(
  xp: Arrays,
  shape: readonly number[],
  type: TypedDType<D>,
  bytes: TypedArray,
): DeviceArray<D> {
  const result = xp.empty(shape, { dtype: type });
  if (result.size === 0) return result;
  const { storage } = result.operand();
  ordered(xp.queue, [], [storage], (waitFor) =>
    xp.queue.enqueueCopy(storage.memory, bytes, { bytes: bytes.byteLength, waitFor }),
  );
  return result;
}

function repeat<D extends DTypeName>(xp: Arrays, target: DeviceArray<D>, pattern: Uint8Array): DeviceArray<D> {
  if (target.size === 0) return target;
  const { storage } = target.operand();
  if (target.nbytes > maxFilled && target.size > 1) {
    using one = repeat(xp, xp.empty([], { dtype: target.dtype }), pattern);
    assign(target, one);
    return target;
  }
  ordered(xp.queue, [], [storage], (waitFor) =>
    enqueueFill(xp.queue, storage, pattern, { bytes: target.nbytes, waitFor }),
  );
  return target;
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
