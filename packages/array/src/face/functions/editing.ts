/** Insertion and deletion of elements along an axis. */
import { checkOptions, outOfRange } from "@cl/base";
import { checkElementBytes } from "@cl/core/internal";
import { filledElement } from "../../creation/number-element.js";
import type { DTypeName, FillValue } from "../../types/dtype-name.js";
import { assign, fill } from "../../elementwise/assign.js";
import { checkArray, isArray } from "../../storage/check-array.js";
import { checkAxis, checkIntegers } from "../../shapes/check-axes.js";
import { filled } from "../../storage/filled.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { DeviceArray } from "../../array/arrays.js";
import { Arrays } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `insert` and `delete`. */
export interface EditOptions {
  /**
   * The axis to edit.
   * @defaultValue the array is flattened
   */
  readonly axis?: number;
}

/** Functions that insert and delete elements. */
class EditingFunctions {
  /** Returns a copy without the elements at one or more indices. */
  delete<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    indices: number | readonly number[],
    options?: EditOptions,
  ): DeviceArray<D> {
    return lined(this, array, options, (line, axis) => {
      const extent = line.shape[axis] as number;
      const gone = new Set(placesOf(indices, extent, extent - 1, line.shape, axis));
      const kept = line.shape.with(axis, extent - gone.size);
      return filled(this.empty(kept, { dtype: array.dtype }), (result) => {
        const ends = [...gone].sort((a, b) => a - b);
        copyRuns(
          [...ends, extent],
          line,
          result,
          axis,
          (end) => end + 1,
          (end, removed) => end - removed,
        );
      });
    });
  }

  /**
   * Returns a copy with values inserted before an index, or before each of several indices; values are broadcast and
   * converted to the array's dtype.
   */
  insert<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    indices: number | readonly number[],
    values: AnyArray | FillValue<D>,
    options?: EditOptions,
  ): DeviceArray<D> {
    const given = isArray(values) ? (checkArray(values, this, "values") as DeviceArray) : undefined;
    if (given === undefined) {
      const { dtype } = checkArray(array, this, "array");
      checkElementBytes(dtype, filledElement(dtype.name, values), "values");
    }
    return lined(this, array, options, (line, axis) => {
      const extent = line.shape[axis] as number;
      const places = placesOf(indices, extent, extent, line.shape, axis);
      const { added, source } = insertion(given, typeof indices === "number", places.length, line.ndim, axis);
      const starts = typeof indices === "number" ? Array.from({ length: added }, () => places[0] as number) : places;
      const order = [...starts.keys()].sort((a, b) => (starts[a] as number) - (starts[b] as number) || a - b);
      const shape = line.shape.with(axis, extent + added);
      try {
        return filled(this.empty(shape, { dtype: array.dtype }), (result) => {
          const before = Array.from({ length: axis }, () => ":");
          const ends = order.map((i) => starts[i] as number);
          copyRuns(
            [...ends, extent],
            line,
            result,
            axis,
            (end) => end,
            (end, more) => end + more,
          );
          for (const [more, i] of order.entries()) {
            const at = (starts[i] as number) + more;
            using target = result.slice(...before, [at, at + 1]);
            if (source === undefined) {
              fill(target, values as FillValue<DTypeName>);
              continue;
            }
            const own = source.shape[axis] === 1 ? 0 : i;
            using part = source.slice(...before, [own, own + 1]);
            assign(target, part);
          }
        });
      } finally {
        source?.release();
      }
    });
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends EditingFunctions {}
}
addComputations(Arrays, EditingFunctions);

function lined<D extends DTypeName>(
  xp: Arrays,
  array: DeviceArray<D>,
  options: EditOptions | undefined,
  make: (line: DeviceArray<D>, axis: number) => DeviceArray<D>,
): DeviceArray<D> {
  checkArray(array, xp, "array");
  const { axis } = checkOptions(options, ["axis"]);
  if (axis !== undefined) return make(array, checkAxis(axis, array.ndim, "options.axis"));
  using line = array.ravel();
  return make(line, 0);
}

/** How many elements values add along the axis, and the values with as many axes as the array. */
function insertion(
  values: DeviceArray | undefined,
  single: boolean,
  places: number,
  ndim: number,
  axis: number,
): { readonly added: number; readonly source: DeviceArray | undefined } {
  if (values === undefined) return { added: places, source: undefined };
  if (values.ndim > ndim) {
    throw outOfRange(
      `values must have at most ${ndim} axes, as the array has, received shape [${values.shape.join()}]`,
    );
  }
  const missing = Array.from({ length: ndim - values.ndim }, (_, i) => i);
  const whole = values.expandDims(missing);
  if (!single) {
    const own = whole.shape[axis] as number;
    if (own === 1 || own === places) return { added: places, source: whole };
    whole.release();
    throw outOfRange(
      `values must have an element for each of ${places} indices along axis ${axis}, received shape [${values.shape.join()}]`,
    );
  }
  // At one index, the first axis of the values is the one along which they are inserted.
  using first = whole;
  const source = first.moveaxis(0, axis);
  return { added: source.shape[axis] as number, source };
}

function placesOf(
  indices: number | readonly number[],
  extent: number,
  last: number,
  shape: readonly number[],
  axis: number,
): readonly number[] {
  return checkIntegers(indices, "indices").map((index, i) => {
    const name = typeof indices === "number" ? "indices" : `indices[${i}]`;
    if (index < -extent || index > last) {
      throw outOfRange(`${name} is out of range for axis ${axis} of the shape [${shape.join()}], received ${index}`);
    }
    return index < 0 ? index + extent : index;
  });
}

/** Copies the runs between `ends`; `place` computes a run's target from its end and the number of runs before it. */
function copyRuns(
  ends: readonly number[],
  from: DeviceArray,
  to: DeviceArray,
  axis: number,
  next: (end: number) => number,
  place: (start: number, run: number) => number,
): void {
  const before = Array.from({ length: axis }, () => ":");
  let start = 0;
  for (const [run, end] of ends.entries()) {
    if (end > start) {
      const at = place(start, run);
      using source = from.slice(...before, [start, end]);
      using target = to.slice(...before, [at, at + end - start]);
      assign(target, source);
    }
    start = next(end);
  }
}
