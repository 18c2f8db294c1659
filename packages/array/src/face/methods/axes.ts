/** Views with axes swapped, moved, flipped, rotated, added or removed. */
import { checkInteger, checkShape, type Layout, outOfRange } from "@cl/base";

import type { Shape } from "@cl/core";
import type { DTypeName } from "../../types/dtype-name.js";
import { flipLayout, squeezeLayout, windowLayout } from "../../shapes/axis-layouts.js";
import { checkAxes, checkAxis } from "../../shapes/check-axes.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import type { Axes } from "../../storage/array-ref.js";
import { checkAtLeast, swappedLayout } from "../../shapes/views.js";
import { addMethods } from "../../array/add-methods.js";

/** Methods that rearrange axes. All return views. */
class AxesMethods<D extends DTypeName> extends ArrayMethods<D> {
  /** Returns a view without axes of length 1: all of them, or the given ones. */
  squeeze(axis?: Axes): DeviceArray<D> {
    const single = [...this.shape.keys()].filter((one) => this.shape[one] === 1);
    const axes = axis === undefined ? single : checkAxes(axis, this.ndim, "axis");
    return asDeviceArray(this.view(this.dtype, squeezeLayout(this.operand().layout, axes)));
  }

  /** Returns a view with the first axis reversed (up/down). */
  flipud(): DeviceArray<D> {
    checkAtLeast(this.operand().layout, 1, "flipud");
    return asDeviceArray(this.flip(0));
  }

  /** Returns a view with the second axis reversed (left/right). */
  fliplr(): DeviceArray<D> {
    checkAtLeast(this.operand().layout, 2, "fliplr");
    return asDeviceArray(this.flip(1));
  }

  /**
   * Returns a view rotated by 90 degrees `times` times in the plane of two axes, from the first towards the second:
   * counterclockwise as printed.
   */
  rot90(times = 1, axes: readonly [number, number] = [0, 1]): DeviceArray<D> {
    checkAtLeast(this.operand().layout, 2, "rot90");
    checkInteger(times, "times", Number.MIN_SAFE_INTEGER);
    const [first, second] = checkAxes([...axes], this.ndim, "axes") as readonly [number, number];
    const turns = ((times % 4) + 4) % 4;
    const { layout } = this.operand();
    if (turns === 2) return asDeviceArray(this.flip([first, second]));
    const turned = (): Layout => {
      if (turns === 0) return layout;
      if (turns === 1) return swappedLayout(flipLayout(layout, [second]), first, second);
      return flipLayout(swappedLayout(layout, first, second), [second]);
    };
    return asDeviceArray(this.view(this.dtype, turned()));
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
    return asDeviceArray(this.view(this.dtype, windowLayout(this.operand().layout, axes, extents), true));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends AxesMethods<D> {}
}
addMethods(DeviceArray, AxesMethods);
