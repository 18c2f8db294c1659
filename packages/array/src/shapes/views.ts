/** The layouts of views, from the arguments of the methods that make them. */
import {
  broadcastLayout,
  checkInteger,
  checkOptions,
  checkOrder,
  checkShape,
  completeShape,
  type Layout,
  outOfRange,
  reshapeLayout,
  transposeLayout,
} from "@cl/base";
import type { Shape } from "@cl/core";
import type { Axes, DiagonalOptions, OrderOptions } from "../storage/array-ref.js";
import { diagonalLayout, expandLayout, flipLayout, movedAxes } from "./axis-layouts.js";
import { checkAxes, checkAxis } from "./check-axes.js";

/** What `reshape` makes of an array: the complete shape, the order, and a layout unless the elements must be copied. */
export interface Reshaping {
  readonly shape: readonly number[];
  readonly order: "C" | "F";
  readonly layout: Layout | undefined;
}

/** Checks the arguments of `reshape`. */
export function reshaping(
  layout: Layout,
  size: number,
  itemSize: number,
  shape: Shape,
  options?: OrderOptions,
): Reshaping {
  const order = checkOrder(checkOptions(options, ["order"]).order, "options.order");
  const complete = completeShape(shape, size, "shape", "the array");
  if (order === "C") return { shape: complete, order, layout: reshapeLayout(layout, complete, itemSize) };
  // F order is C order of the axes reversed.
  const reversed = reshapeLayout(transposeLayout(layout), complete.toReversed(), itemSize);
  return { shape: complete, order, layout: reversed && transposeLayout(reversed) };
}

/** Returns a layout broadcast to a shape, and whether elements are repeated. */
export function broadcastView(layout: Layout, shape: Shape): { readonly layout: Layout; readonly repeats: boolean } {
  const wide = broadcastLayout(layout, checkShape(shape, "shape"));
  return { layout: wide, repeats: wide.shape.some((extent, axis) => extent > 1 && wide.strides[axis] === 0) };
}

/** Returns a layout with two axes interchanged. */
export function swappedLayout(layout: Layout, axis1: number, axis2: number): Layout {
  const ndim = layout.shape.length;
  const [one, other] = [checkAxis(axis1, ndim, "axis1"), checkAxis(axis2, ndim, "axis2")];
  return transposeLayout(layout, [...layout.shape.keys()].with(one, other).with(other, one));
}

/** Returns a layout with axes moved to new positions. */
export function movedLayout(layout: Layout, source: Axes, destination: Axes): Layout {
  const ndim = layout.shape.length;
  const from = checkAxes(source, ndim, "source");
  const to = checkAxes(destination, ndim, "destination");
  if (from.length !== to.length) {
    throw outOfRange(
      `source and destination must have the same number of axes, received ${from.length} and ${to.length}`,
    );
  }
  return transposeLayout(layout, movedAxes(ndim, from, to));
}

/** Returns a layout with axes of length 1 inserted. */
export function expandedLayout(layout: Layout, axis: Axes): Layout {
  const count = Array.isArray(axis) ? axis.length : 1;
  return expandLayout(layout, checkAxes(axis, layout.shape.length + count, "axis"));
}

/** Returns a layout with axes reversed. */
export function flippedLayout(layout: Layout, axis: Axes | undefined): Layout {
  const axes = axis === undefined ? [...layout.shape.keys()] : checkAxes(axis, layout.shape.length, "axis");
  return flipLayout(layout, axes);
}

/** Returns the layout of a diagonal. */
export function layoutOfDiagonal(layout: Layout, options: DiagonalOptions | undefined): Layout {
  const { offset = 0, axis1 = 0, axis2 = 1 } = checkOptions(options, ["offset", "axis1", "axis2"]);
  checkAtLeast(layout, 2, "diagonal");
  checkInteger(offset, "options.offset", Number.MIN_SAFE_INTEGER);
  const ndim = layout.shape.length;
  const [first, second] = [checkAxis(axis1, ndim, "options.axis1"), checkAxis(axis2, ndim, "options.axis2")];
  if (first === second) {
    throw outOfRange(`options.axis1 and options.axis2 must differ, received axis ${first} for both`);
  }
  return diagonalLayout(layout, first, second, offset);
}

/** Throws unless a layout has at least this many axes. */
export function checkAtLeast({ shape }: Layout, axes: number, what: string): void {
  if (shape.length >= axes) return;
  throw outOfRange(`${what} needs an array of at least ${axes} axes, received shape [${shape.join()}]`);
}
