/**
 * Where the elements of an n-dimensional view lie in linear memory: extents, the distances between neighbours and the
 * place of the first element, all in bytes. This is pure arithmetic: neither memory nor element types are known here.
 */
import { checkInteger, outOfRange, rangeError, typeError } from "../checks/check.js";

/** Extents, distances from neighbour to neighbour along each axis, and the first element's place; in bytes. */
export interface Layout {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** `"C"`: the last axis is next to each other in memory. `"F"`: the first one is. */
export type Order = "C" | "F";

/** An extent, or several. */
export type Shape = number | readonly number[];

/** As many axes as NumPy had for its first twenty years; a kernel's arguments have room for them. */
export const mostAxes = 32;

/** Extents of at least 0, of which a number alone is one. Their product is a safe integer. */
export function checkShape(value: unknown, name: string): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value) && typeof value !== "number") {
    throw typeError(name, "a number or an array of numbers", value);
  }
  if (list.length > mostAxes) throw rangeError(name, `at most ${mostAxes} extents`, value);
  const shape = Array.from(list, (extent, i) => checkInteger(extent, Array.isArray(value) ? `${name}[${i}]` : name));
  // Empty axes may not hide that the others are too large: a slice or a reduction would bring it to light.
  if (!Number.isSafeInteger(shape.reduce((product, extent) => product * Math.max(extent, 1), 1))) {
    throw rangeError(name, "extents whose product is at most 2^53 - 1", value);
  }
  return shape;
}

/** `"C"` or `"F"`. */
export function checkOrder(value: unknown, name: string): Order {
  if (value === undefined) return "C";
  if (value !== "C" && value !== "F") throw typeError(name, '"C" or "F"', value);
  return value;
}

/** How many elements there are: 1 without axes. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

/** Distances in memory without gaps. Empty axes count as 1, so that no distance is 0 by accident. */
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

/** The layout of memory without gaps. */
export function contiguousLayout(shape: readonly number[], itemSize: number, order: Order = "C", offset = 0): Layout {
  return { shape, strides: contiguousStrides(shape, itemSize, order), offset };
}

/** True if the elements lie side by side in that order. Axes of one element, and empty layouts, have any distances. */
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

/** The bytes from the lowest to the highest that any element has; both are the offset if there is none. */
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

/** Throws unless all elements lie within `bytes`. Numbers too large to be exact are outside whatever they mean. */
export function checkInside(layout: Layout, itemSize: number, bytes: number, what: string): void {
  const [low, high] = byteRange(layout, itemSize);
  if (low >= 0 && high <= bytes && Number.isSafeInteger(high)) return;
  throw outOfRange(
    `a view of shape [${layout.shape.join()}] with strides [${layout.strides.join()}] from byte ${layout.offset} reaches from byte ${low} to ${high}, but ${what} has ${bytes} bytes`,
  );
}

/** One distance for each extent: any whole number of bytes. */
export function checkStrides(value: unknown, shape: readonly number[], name: string): readonly number[] {
  if (!Array.isArray(value)) throw typeError(name, "an array of bytes from neighbour to neighbour", value);
  if (value.length !== shape.length) {
    throw rangeError(name, `as many numbers as the shape [${shape.join()}] has extents`, value);
  }
  return Array.from(value as readonly unknown[], (stride, i) =>
    checkInteger(stride, `${name}[${i}]`, Number.MIN_SAFE_INTEGER),
  );
}
