/** Reinterpretation of the bytes as another dtype. */
import { type Layout, wrongValue } from "@cl/base";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";

/** Returns the layout of the same bytes with another dtype. */
export function reinterpreted(layout: Layout, from: TypedDType<DTypeName>, to: TypedDType<DTypeName>): Layout {
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
