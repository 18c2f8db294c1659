/**
 * The layout of an n-dimensional view in linear memory: shape, strides and offset. This is pure arithmetic without
 * memory or element types.
 */
import { checkInteger, outOfRange, rangeError, typeError } from "../checks/check.js";

/** Shape of a view, with strides and offset in bytes. */
export interface Layout {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Memory order: the last axis (`"C"`) or the first axis (`"F"`) is contiguous. */
export type Order = "C" | "F";

/** The extents of all axes; a number is the shape of one axis. */
export type Shape = number | readonly number[];

/** Maximum number of axes. NumPy had the same limit before version 2; kernel arguments have room for this many. */
export const maxAxes = 32;

/** Returns a shape as an array of extents. Throws unless the extents are integers of at least 0 with a safe product. */
export function checkShape(value: unknown, name: string): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value) && typeof value !== "number") {
    throw typeError(name, "a number or an array of numbers", value);
  }
  if (list.length > maxAxes) throw rangeError(name, `at most ${maxAxes} extents`, value);
  const shape = Array.from(list, (extent, i) => checkInteger(extent, Array.isArray(value) ? `${name}[${i}]` : name));
  // An empty axis does not excuse other extents that are too large: a slice or a reduction may remove it.
  if (!Number.isSafeInteger(shape.reduce((product, extent) => product * Math.max(extent, 1), 1))) {
    throw rangeError(name, "extents whose product is at most 2^53 - 1", value);
  }
  return shape;
}

/** Returns `"C"` or `"F"`, `"C"` for `undefined`. Throws for other values. */
export function checkOrder(value: unknown, name: string): Order {
  if (value === undefined) return "C";
  if (value !== "C" && value !== "F") throw typeError(name, '"C" or "F"', value);
  return value;
}

/** Returns the number of elements: 1 for a shape without axes. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}

/** Returns the strides of a contiguous layout. Empty axes count as 1, so that no stride becomes 0. */
export function contiguousStrides(shape: readonly number[], itemSize: number, order: Order = "C"): readonly number[] {
  const strides = [...shape];
  let stride = itemSize;
  for (let k = 0; k < shape.length; k++) {
    const axis = order === "C" ? shape.length - 1 - k : k;
    strides[axis] = stride;
    stride *= Math.max(shape[axis] as number, 1);
  }
  return strides;
}

/** Returns a contiguous layout. */
export function contiguousLayout(shape: readonly number[], itemSize: number, order: Order = "C", offset = 0): Layout {
  return { shape, strides: contiguousStrides(shape, itemSize, order), offset };
}

/**
 * Returns true if the layout is contiguous in the given order. The strides of axes of extent 1 and of empty layouts are
 * ignored.
 */
export function isContiguous({ shape, strides }: Layout, itemSize: number, order: Order = "C"): boolean {
  if (shape.includes(0)) return true;
  let expected = itemSize;
  for (let k = 0; k < shape.length; k++) {
    const axis = order === "C" ? shape.length - 1 - k : k;
    if (shape[axis] === 1) continue;
    if (strides[axis] !== expected) return false;
    expected *= shape[axis] as number;
  }
  return true;
}

/** Returns the byte range [low, high) that the elements occupy; both are the offset for an empty layout. */
export function byteRange({ shape, strides, offset }: Layout, itemSize: number): readonly [low: number, high: number] {
  if (shape.includes(0)) return [offset, offset];
  let [low, high] = [offset, offset + itemSize];
  for (const [axis, extent] of shape.entries()) {
    const reach = (extent - 1) * (strides[axis] as number);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return [low, high];
}

/** Throws unless all elements are within the first `bytes` bytes. Unsafe integers count as outside. */
export function checkInside(layout: Layout, itemSize: number, bytes: number, what: string): void {
  const [low, high] = byteRange(layout, itemSize);
  if (low >= 0 && high <= bytes && Number.isSafeInteger(high)) return;
  throw outOfRange(
    `a view of shape [${layout.shape.join()}] with strides [${layout.strides.join()}] and offset ${layout.offset} occupies bytes ${low} to ${high}, but ${what} has ${bytes} bytes`,
  );
}

/** Returns strides in bytes. Throws unless they are one safe integer per axis. */
export function checkStrides(value: unknown, shape: readonly number[], name: string): readonly number[] {
  if (!Array.isArray(value)) throw typeError(name, "an array of strides in bytes", value);
  if (value.length !== shape.length) {
    throw rangeError(name, `one number per axis of the shape [${shape.join()}]`, value);
  }
  return Array.from(value as readonly unknown[], (stride, i) =>
    checkInteger(stride, `${name}[${i}]`, Number.MIN_SAFE_INTEGER),
  );
}
