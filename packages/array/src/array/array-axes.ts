/** Views with axes swapped, moved, flipped, rotated, added or removed. */
import { checkInteger, checkOptions, checkShape, outOfRange, transposeLayout } from "@cl/base";

import type { Shape } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayViews } from "./array-views.js";
import { diagonalLayout, expandLayout, flipLayout, movedAxes, squeezeLayout, windowLayout } from "./axis-layouts.js";
import { checkAxes, checkAxis } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";

/** An axis or several; negative axes count from the last. */
export type Axes = number | readonly number[];

/** Options that select a diagonal. */
export interface DiagonalOptions {
  /**
   * Offset from the main diagonal: positive is above it, negative below.
   * @defaultValue 0
   */
  readonly offset?: number;
  /**
   * Axis of the rows.
   * @defaultValue 0
   */
  readonly axis1?: number;
  /**
   * Axis of the columns.
   * @defaultValue 1
   */
  readonly axis2?: number;
}

/** The part of a `DeviceArray` that rearranges axes. All methods return views. */
export abstract class ArrayAxes<D extends DTypeName = DTypeName> extends ArrayViews<D> {
  /** Returns a view with two axes interchanged. */
  swapaxes(axis1: number, axis2: number): DeviceArray<D> {
    const [one, other] = [checkAxis(axis1, this.ndim, "axis1"), checkAxis(axis2, this.ndim, "axis2")];
    const order = [...this.shape.keys()].with(one, other).with(other, one);
    return this.transpose(order);
  }

  /** Returns a view with axes moved to new positions; the other axes keep their order. */
  moveaxis(source: Axes, destination: Axes): DeviceArray<D> {
    const from = checkAxes(source, this.ndim, "source");
    const to = checkAxes(destination, this.ndim, "destination");
    if (from.length !== to.length) {
      throw outOfRange(
        `source and destination must have the same number of axes, received ${from.length} and ${to.length}`,
      );
    }
    return this.transpose(movedAxes(this.ndim, from, to));
  }

  /** Returns a view with axes of length 1 inserted at the given positions of the result. */
  expandDims(axis: Axes): DeviceArray<D> {
    const count = Array.isArray(axis) ? axis.length : 1;
    return this.view(this.dtype, expandLayout(this.operand().layout, checkAxes(axis, this.ndim + count, "axis")));
  }

  /** Returns a view without axes of length 1: all of them, or the given ones. */
  squeeze(axis?: Axes): DeviceArray<D> {
    const single = [...this.shape.keys()].filter((one) => this.shape[one] === 1);
    const axes = axis === undefined ? single : checkAxes(axis, this.ndim, "axis");
    return this.view(this.dtype, squeezeLayout(this.operand().layout, axes));
  }

  /**
   * Returns a view with the order of elements reversed along the given axes. Defaults to all axes.
   */
  flip(axis?: Axes): DeviceArray<D> {
    const axes = axis === undefined ? [...this.shape.keys()] : checkAxes(axis, this.ndim, "axis");
    return this.view(this.dtype, flipLayout(this.operand().layout, axes));
  }

  /** Returns a view with the first axis reversed (up/down). */
  flipud(): DeviceArray<D> {
    this.#atLeast(1, "flipud");
    return this.flip(0);
  }

  /** Returns a view with the second axis reversed (left/right). */
  fliplr(): DeviceArray<D> {
    this.#atLeast(2, "fliplr");
    return this.flip(1);
  }

  /**
   * Returns a view rotated by 90 degrees `times` times in the plane of two axes, from the first towards the second:
   * counterclockwise as printed.
   */
  rot90(times = 1, axes: readonly [number, number] = [0, 1]): DeviceArray<D> {
    this.#atLeast(2, "rot90");
    checkInteger(times, "times", Number.MIN_SAFE_INTEGER);
    const [first, second] = checkAxes([...axes], this.ndim, "axes") as readonly [number, number];
    const turns = ((times % 4) + 4) % 4;
    const { layout } = this.operand();
    const order = [...this.shape.keys()].with(first, second).with(second, first);
    if (turns === 0) return this.view(this.dtype, layout);
    if (turns === 2) return this.flip([first, second]);
    if (turns === 1) return this.view(this.dtype, transposeLayout(flipLayout(layout, [second]), order));
    return this.view(this.dtype, flipLayout(transposeLayout(layout, order), [second]));
  }

  /** Returns a view of a diagonal; it becomes the last axis of the result. Unlike NumPy's, the view is writable. */
  diagonal(options?: DiagonalOptions): DeviceArray<D> {
    const { offset = 0, axis1 = 0, axis2 = 1 } = checkOptions(options, ["offset", "axis1", "axis2"]);
    this.#atLeast(2, "diagonal");
    checkInteger(offset, "options.offset", Number.MIN_SAFE_INTEGER);
    const [first, second] = [
      checkAxis(axis1, this.ndim, "options.axis1"),
      checkAxis(axis2, this.ndim, "options.axis2"),
    ];
    if (first === second) {
      throw outOfRange(`options.axis1 and options.axis2 must differ, received axis ${first} for both`);
    }
    return this.view(this.dtype, diagonalLayout(this.operand().layout, first, second, offset));
  }

  /**
   * Returns a read-only view of all windows of a shape, one element apart; the axes within the window come last.
   * `window` has an extent for each axis, or for each of `axis`.
   */
  slidingWindow(window: Shape, axis?: Axes): DeviceArray<D> {
    const extents = checkShape(window, "window");
    const list = typeof axis === "number" ? [axis] : (axis ?? [...this.shape.keys()]);
    const axes = list.map((one) => checkAxis(one, this.ndim, "axis"));
    if (extents.length !== axes.length) {
      throw outOfRange(`window must have an extent for each of ${axes.length} axes, received [${extents.join()}]`);
    }
    return this.view(this.dtype, windowLayout(this.operand().layout, axes, extents), true);
  }

  #atLeast(axes: number, what: string): void {
    if (this.ndim < axes) {
      throw outOfRange(`${what} needs an array of at least ${axes} axes, received shape [${this.shape.join()}]`);
    }
  }
}
