/** Repetition of elements. */
import { checkOptions, outOfRange } from "@cl/base";
import type { DTypeName } from "../../types/dtype-name.js";
import { assign } from "../../elementwise/assign.js";
import { checkAxis, checkIntegers } from "../../shapes/check-axes.js";
import { filled } from "../../storage/filled.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import { take } from "../../indexing/take.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `repeat`. */
export interface RepeatOptions {
  /**
   * The axis to repeat along.
   * @defaultValue the array is flattened
   */
  readonly axis?: number;
}

/** Methods that repeat elements. */
class RepeatingMethods<D extends DTypeName> extends ArrayMethods<D> {
  /** Returns a copy with each element repeated `counts` times, or by a count for each element. */
  repeat(counts: number | readonly number[], options?: RepeatOptions): DeviceArray<D> {
    const { axis } = checkOptions(options, ["axis"]);
    const along = axis === undefined ? undefined : checkAxis(axis, this.ndim, "options.axis");
    const extent = along === undefined ? this.size : (this.shape[along] as number);
    const list = checkIntegers(counts, "counts", 0);
    if (list.length === 1) return evenly(this, list[0] as number, along);
    if (list.length !== extent) {
      throw outOfRange(
        `counts must have ${extent} elements for the shape [${this.shape.join()}], received ${list.length}`,
      );
    }
    const indices = list.flatMap((count, i) => Array.from({ length: count }, () => i));
    return asDeviceArray(take(this, Int32Array.from(indices), along === undefined ? {} : { axis: along }));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends RepeatingMethods<D> {}
}
addComputations(DeviceArray, RepeatingMethods);

/** Stores the array once, broadcast along an extra axis of the result next to the repeated one. */
function evenly<D extends DTypeName>(array: ArrayRef<D>, count: number, along: number | undefined): DeviceArray<D> {
  const last = along ?? array.ndim - 1;
  const shape =
    along === undefined ? [array.size * count] : array.shape.with(along, (array.shape[along] as number) * count);
  return asDeviceArray(
    filled(array.xp.empty(shape, { dtype: array.dtype }), (result) => {
      if (result.size === 0) return;
      using target = result.reshape(array.shape.toSpliced(last + 1, 0, count));
      using source = array.expandDims(last + 1);
      assign(target, source);
    }),
  );
}
