/** Reinterpretation of the bytes as another dtype. */
import { type Layout, wrongValue } from "@cl/base";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { ArrayAxes } from "./array-axes.js";
import type { DeviceArray } from "./device-array.js";

/** The part of a `DeviceArray` that reinterprets its bytes. */
export abstract class ArrayReinterpret<D extends DTypeName = DTypeName> extends ArrayAxes<D> {
  /**
   * Returns a view of the same bytes with another dtype. If the item sizes differ, the last axis becomes longer or
   * shorter and its elements must be contiguous. To convert values use `astype`.
   */
  viewAs<E extends DTypeName>(dtype: E | TypedDType<E>): DeviceArray<E> {
    const type = checkArrayType(dtype, "dtype") as TypedDType<E>;
    return this.view(type, reinterpreted(this.operand().layout, this.dtype, type));
  }
}

function reinterpreted(layout: Layout, from: TypedDType<DTypeName>, to: TypedDType<DTypeName>): Layout {
  const { shape, strides, offset } = layout;
  const [size, wanted] = [from.itemSize, to.itemSize];
  const fail = (why: string): never => {
    throw wrongValue(`${from.name} of shape [${shape.join()}] cannot be viewed as ${to.name}: ${why}`);
  };
  if (size === wanted) return layout;
  const last = shape.length - 1;
  if (last < 0) fail("arrays without axes need dtypes of the same size");
  const extent = shape[last] as number;
  const isEmpty = shape.includes(0);
  if (extent !== 1 && !isEmpty && strides[last] !== size) fail("the last axis must be contiguous");
  const bytes = extent * size;
  if (bytes % wanted !== 0) fail(`the last axis has ${bytes} bytes, which is not a multiple of ${wanted}`);
  // Where there are no elements, none is at a wrong place.
  if (isEmpty) return { shape: shape.with(last, bytes / wanted), strides: shape.map(() => wanted), offset: 0 };
  const result = { shape: shape.with(last, bytes / wanted), strides: strides.with(last, wanted), offset };
  const misplaced = result.strides.some((stride, axis) => result.shape[axis] !== 1 && stride % wanted !== 0);
  if (misplaced || offset % wanted !== 0) {
    fail(`elements must be aligned to ${wanted} bytes, received strides [${strides.join()}] and offset ${offset}`);
  }
  return result;
}
