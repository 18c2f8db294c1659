/** The same elements along axes that are swapped, moved, turned, added or left out. */
import { checkInteger, checkOptions, checkShape, outOfRange, transposeLayout } from "@cl/base";

import type { Shape } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayViews } from "./array-views.js";
import { diagonalLayout, expandLayout, flipLayout, movedAxes, squeezeLayout, windowLayout } from "./axis-layouts.js";
import { checkAxes, checkAxis } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";

/** An axis or several; negative ones are counted from the last. */
export type Axes = number | readonly number[];

/** Which diagonal. */
export interface DiagonalOptions {
  /** How far it is above the main diagonal, which is 0; below with negative numbers. */
  readonly offset?: number;
  /** The axis of the rows; 0 if not said. */
  readonly axis1?: number;
  /** The axis of the columns; 1 if not said. */
  readonly axis2?: number;
}

/** The part of a `DeviceArray` that turns and moves axes. None of this copies. */
export abstract class ArrayAxes<D extends DTypeName = DTypeName> extends ArrayViews<D> {
  /** Two axes in each other's place. */
  swapaxes(axis1: number, axis2: number): DeviceArray<D> {
    const [one, other] = [checkAxis(axis1, this.ndim, "axis1"), checkAxis(axis2, this.ndim, "axis2")];
    const order = [...this.shape.keys()].with(one, other).with(other, one);
    return this.transpose(order);
  }

  /** Axes at other places; those that are left keep their order. */
  moveaxis(source: Axes, destination: Axes): DeviceArray<D> {
    const from = checkAxes(source, this.ndim, "source");
    const to = checkAxes(destination, this.ndim, "destination");
    if (from.length !== to.length) {
      throw outOfRange(`source has ${from.length} axes, but destination has ${to.length}`);
    }
    return this.transpose(movedAxes(this.ndim, from, to));
  }

  /** Axes of one element more, which are at these places of the result. */
  expandDims(axis: Axes): DeviceArray<D> {
    const count = Array.isArray(axis) ? axis.length : 1;
    return this.view(this.dtype, expandLayout(this.operand().layout, checkAxes(axis, this.ndim + count, "axis")));
  }

  /** Without axes of one element: all of them, or these. */
  squeeze(axis?: Axes): DeviceArray<D> {
    const single = [...this.shape.keys()].filter((one) => this.shape[one] === 1);
    const axes = axis === undefined ? single : checkAxes(axis, this.ndim, "axis");
    return this.view(this.dtype, squeezeLayout(this.operand().layout, axes));
  }

  /** From the last element to the first, along all axes or these. */
  flip(axis?: Axes): DeviceArray<D> {
    const axes = axis === undefined ? [...this.shape.keys()] : checkAxes(axis, this.ndim, "axis");
    return this.view(this.dtype, flipLayout(this.operand().layout, axes));
  }

  /** Upside down: the first axis from its end. */
  flipud(): DeviceArray<D> {
    this.#atLeast(1, "flipud");
    return this.flip(0);
  }

  /** Left and right swapped: the second axis from its end. */
  fliplr(): DeviceArray<D> {
    this.#atLeast(2, "fliplr");
    return this.flip(1);
  }

  /** Turned by so many right angles, from the first of the two axes towards the second; counterclockwise as printed. */
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

  /** A diagonal, along the last axis of the result. Unlike NumPy's it can be stored to. */
  diagonal(options?: DiagonalOptions): DeviceArray<D> {
    const { offset = 0, axis1 = 0, axis2 = 1 } = checkOptions(options, ["offset", "axis1", "axis2"]);
    this.#atLeast(2, "diagonal");
    checkInteger(offset, "options.offset", Number.MIN_SAFE_INTEGER);
    const [first, second] = [
      checkAxis(axis1, this.ndim, "options.axis1"),
      checkAxis(axis2, this.ndim, "options.axis2"),
    ];
    if (first === second) throw outOfRange(`options.axis1 and options.axis2 are both axis ${first}`);
    return this.view(this.dtype, diagonalLayout(this.operand().layout, first, second, offset));
  }

  /**
   * Every part of a shape, moved by one element each: the axes within the parts come last. Read-only, since the parts
   * overlap. The window has an extent for each axis, or for each of `axis`.
   */
  slidingWindow(window: Shape, axis?: Axes): DeviceArray<D> {
    const extents = checkShape(window, "window");
    const list = typeof axis === "number" ? [axis] : (axis ?? [...this.shape.keys()]);
    const axes = list.map((one) => checkAxis(one, this.ndim, "axis"));
    if (extents.length !== axes.length) {
      throw outOfRange(`window [${extents.join()}] has ${extents.length} extents, but there are ${axes.length} axes`);
    }
    return this.view(this.dtype, windowLayout(this.operand().layout, axes, extents), true);
  }

  #atLeast(axes: number, what: string): void {
    if (this.ndim < axes) {
      throw outOfRange(
        `${what} is for arrays of at least ${axes} axes, but this one's shape is [${this.shape.join()}]`,
      );
    }
  }
}
