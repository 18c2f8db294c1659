/** Tiled, rolled and padded copies. */
import { checkOptions, checkShape, type Layout, outOfRange } from "@cl/base";

import type { Shape } from "@cl/core";
import type { DTypeName } from "../../types/dtype-name.js";
import { assign } from "../../elementwise/assign.js";
import { checkArray } from "../../storage/check-array.js";
import { checkAxis, checkIntegers } from "../../shapes/check-axes.js";
import { filled } from "../../storage/filled.js";
import { pad, type PadOptions, type PadWidths } from "../../creation/pad.js";
import type { AnyArray, Axes } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `roll`. */
export interface RollOptions {
  /**
   * The axis of each shift.
   * @defaultValue the array is rolled as if flattened
   */
  readonly axis?: Axes;
}

/** Functions that tile, roll and pad. */
class RearrangingFunctions {
  /** Returns the array repeated by a count for each axis; if there are more counts than axes, axes are prepended. */
  tile<D extends DTypeName>(this: Arrays, array: DeviceArray<D>, counts: Shape): DeviceArray<D> {
    checkArray(array, this, "array");
    const given = checkShape(counts, "counts");
    const ndim = Math.max(given.length, array.ndim);
    const front = (list: readonly number[]): readonly number[] => [
      ...Array.from({ length: ndim - list.length }, () => 1),
      ...list,
    ];
    const [shape, times] = [front(array.shape), front(given)];
    const result = this.empty(
      shape.map((extent, axis) => extent * (times[axis] as number)),
      { dtype: array.dtype },
    );
    return filled(result, () => {
      if (result.size === 0) return;
      using target = result.reshape(shape.flatMap((extent, axis) => [times[axis] as number, extent]));
      using source = array.reshape(shape.flatMap((extent) => [1, extent]));
      assign(target, source);
    });
  }

  /** Returns a copy with elements shifted along axes; those beyond the end re-enter at the start. */
  roll<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    shift: number | readonly number[],
    options?: RollOptions,
  ): DeviceArray<D> {
    checkArray(array, this, "array");
    const { axis } = checkOptions(options, ["axis"]);
    if (axis === undefined) {
      using line = array.ravel();
      using rolled = rolledBy(this, line, shiftsOf(shift, 0, 1, [line.size]));
      return rolled.reshape(array.shape);
    }
    return rolledBy(this, array, shiftsOf(shift, axis, array.ndim, array.shape));
  }

  /** Returns a view with at least one axis. */
  atleast1d<D extends DTypeName>(this: Arrays, array: DeviceArray<D>): DeviceArray<D> {
    return withAxes(this, array, [[0], [], []]);
  }

  /** Returns a view with at least two axes: a line becomes a row. */
  atleast2d<D extends DTypeName>(this: Arrays, array: DeviceArray<D>): DeviceArray<D> {
    return withAxes(this, array, [[0, 1], [0], []]);
  }

  /** Returns a view with at least three axes: a line gets the shape [1, n, 1], a matrix [m, n, 1]. */
  atleast3d<D extends DTypeName>(this: Arrays, array: DeviceArray<D>): DeviceArray<D> {
    return withAxes(this, array, [[0, 1, 2], [0, 2], [2]]);
  }

  /**
   * Returns the array padded by a number of elements before and after each axis, `[before, after]`, or a pair for each
   * axis; `mode` selects the values.
   */
  pad<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    widths: PadWidths,
    options?: PadOptions<D>,
  ): DeviceArray<D> {
    checkArray(array, this, "array");
    return asDeviceArray(pad(this, array, widths, options));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends RearrangingFunctions {}
}
addComputations(Arrays, RearrangingFunctions);

/** Returns a view with the axes that `added` has for the array's number of axes. */
function withAxes<D extends DTypeName>(
  xp: Arrays,
  array: DeviceArray<D>,
  added: readonly (readonly number[])[],
): DeviceArray<D> {
  checkArray(array, xp, "array");
  return array.expandDims(added[array.ndim] ?? []);
}

/** At most two parts of each axis that is moved, all of which are copied to their places. */
function rolledBy<D extends DTypeName>(xp: Arrays, array: DeviceArray<D>, shifts: readonly number[]): DeviceArray<D> {
  return filled(xp.empty(array.shape, { dtype: array.dtype }), (result) => {
    const move = (axis: number, from: AnyArray, to: AnyArray): void => {
      const shift = shifts[axis];
      if (shift === undefined) {
        assign(to, from);
        return;
      }
      if (shift === 0) {
        move(axis + 1, from, to);
        return;
      }
      const before = Array.from({ length: axis }, () => ":");
      for (const [source, target] of [
        [`:-${shift}`, `${shift}:`],
        [`-${shift}:`, `:${shift}`],
      ] as const) {
        using one = from.slice(...before, source);
        using other = to.slice(...before, target);
        move(axis + 1, one, other);
      }
    };
    move(0, array, result);
  });
}

/** How far each axis is moved, from 0 to less than its extent. */
function shiftsOf(
  shift: number | readonly number[],
  axis: Axes,
  ndim: number,
  shape: Layout["shape"],
): readonly number[] {
  const shifts = checkIntegers(shift, "shift");
  const axes = checkIntegers(axis, "options.axis").map((one) => checkAxis(one, ndim, "options.axis"));
  if (shifts.length !== axes.length && shifts.length !== 1 && axes.length !== 1) {
    throw outOfRange(
      `shifts must have one element for each axis of options.axis (${axes.length}), received ${shifts.length}`,
    );
  }
  const result = shape.map(() => 0);
  for (let i = 0; i < Math.max(shifts.length, axes.length); i++) {
    const along = (axes.length === 1 ? axes[0] : axes[i]) as number;
    const by = (shifts.length === 1 ? shifts[0] : shifts[i]) as number;
    const extent = Math.max(shape[along] as number, 1);
    result[along] = ((((result[along] as number) + (by % extent)) % extent) + extent) % extent;
  }
  return result;
}
