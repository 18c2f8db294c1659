/** Computes the layout that options describe and checks that it fits the memory. */
import { checkInteger, outOfRange, rangeError, typeError } from "../checks/check.js";
import {
  checkInside,
  checkOrder,
  checkShape,
  checkStrides,
  contiguousStrides,
  type Layout,
  type Order,
  type Shape,
  sizeOf,
} from "./layout.js";

/** Layout of elements in memory. */
export interface LayoutOptions {
  /** Extents of the axes. @defaultValue one axis with all elements after `offset` */
  readonly shape?: Shape | undefined;
  /** Strides in bytes. @defaultValue contiguous */
  readonly strides?: readonly number[] | undefined;
  /**
   * Memory order of a contiguous layout: the last axis (`"C"`) or the first axis (`"F"`) is contiguous.
   * @defaultValue `"C"`
   */
  readonly order?: Order | undefined;
  /** Offset of the first element in bytes. @defaultValue 0 */
  readonly offset?: number | undefined;
}

/**
 * Returns the layout of elements of `itemSize` bytes in memory of `bytes` bytes, which is called `what` in errors. If
 * `bytes` is undefined, the layout may have any size. Throws if the layout is invalid or does not fit.
 */
export function planLayout(options: LayoutOptions, itemSize: number, bytes: number | undefined, what: string): Layout {
  const offset = checkInteger(options.offset ?? 0, "options.offset");
  const order = checkOrder(options.order, "options.order");
  if (options.strides !== undefined && options.order !== undefined) {
    throw typeError("options.order", "omitted if options.strides is given", options.order);
  }
  const shape = shapeOf(options, itemSize, offset, bytes ?? 0, what);
  const strides =
    options.strides === undefined
      ? contiguousStrides(shape, itemSize, order)
      : checkStrides(options.strides, shape, "options.strides");
  const layout = { shape, strides, offset };
  if (bytes !== undefined) checkInside(layout, itemSize, bytes, what);
  else if (!Number.isSafeInteger(sizeOf(shape) * itemSize)) {
    throw rangeError("shape", "a shape of at most 2^53 - 1 bytes", options.shape);
  }
  return layout;
}

function shapeOf(
  { shape, strides }: LayoutOptions,
  itemSize: number,
  offset: number,
  bytes: number,
  what: string,
): readonly number[] {
  if (shape !== undefined) return checkShape(shape, "shape");
  if (strides !== undefined) throw typeError("options.shape", "given if options.strides is given", shape);
  const remaining = bytes - offset;
  if (remaining < 0) throw rangeError("options.offset", `within the ${bytes} bytes of ${what}`, offset);
  if (remaining % itemSize !== 0) {
    throw outOfRange(
      `options.shape must be given: the remaining ${remaining} bytes are not a multiple of the element size ${itemSize}`,
    );
  }
  return [remaining / itemSize];
}
