/** The layout that options ask for, checked against the memory that it lies in. */
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

/** How elements lie in memory. */
export interface LayoutOptions {
  /** The extents; if not said, one, of all elements that fit after `offset`. */
  readonly shape?: Shape | undefined;
  /** Bytes from neighbour to neighbour along each axis; if not said, there are no gaps. */
  readonly strides?: readonly number[] | undefined;
  /** Which axis is next to each other where `strides` are not said: the last (`"C"`, if not said) or the first (`"F"`). */
  readonly order?: Order | undefined;
  /** Where the first element starts, in bytes; 0 if not said. */
  readonly offset?: number | undefined;
}

/** The layout of elements of `itemSize` bytes in `bytes` of memory; undefined makes room for what is asked. */
export function planLayout(options: LayoutOptions, itemSize: number, bytes: number | undefined, what: string): Layout {
  const offset = checkInteger(options.offset ?? 0, "options.offset");
  const order = checkOrder(options.order, "options.order");
  if (options.strides !== undefined && options.order !== undefined) {
    throw typeError("options.order", "left out, since options.strides say it all", options.order);
  }
  const shape = shapeOf(options, itemSize, offset, bytes ?? 0, what);
  const strides =
    options.strides === undefined
      ? contiguousStrides(shape, itemSize, order)
      : checkStrides(options.strides, shape, "options.strides");
  const layout = { shape, strides, offset };
  if (bytes !== undefined) checkInside(layout, itemSize, bytes, what);
  else if (!Number.isSafeInteger(sizeOf(shape) * itemSize)) {
    throw rangeError("shape", "one whose bytes are at most 2^53 - 1", options.shape);
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
  if (strides !== undefined) throw typeError("options.shape", "given, since options.strides are", shape);
  const left = bytes - offset;
  if (left < 0) throw rangeError("options.offset", `within the ${bytes} bytes of ${what}`, offset);
  if (left % itemSize !== 0) {
    throw outOfRange(
      `${left} bytes are no whole number of elements of ${itemSize} bytes: say how many with options.shape`,
    );
  }
  return [left / itemSize];
}
