/** Each element several times. */
import { checkOptions, outOfRange } from "@cl/base";
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayReductions } from "./array-reductions.js";
import { assign } from "./assign.js";
import { checkAxis, checkIntegers } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";
import { filled } from "./filled.js";

/** Along which axis elements are repeated. */
export interface RepeatOptions {
  /** All elements become one line if not said. */
  readonly axis?: number;
}

/** The part of a `DeviceArray` that repeats its elements. */
export abstract class ArrayRepeating<D extends DTypeName = DTypeName> extends ArrayReductions<D> {
  /** Each element so many times in a row: all as often, or each as its own count says. */
  repeat(counts: number | readonly number[], options?: RepeatOptions): DeviceArray<D> {
    const { axis } = checkOptions(options, ["axis"]);
    const along = axis === undefined ? undefined : checkAxis(axis, this.ndim, "options.axis");
    const extent = along === undefined ? this.size : (this.shape[along] as number);
    const list = checkIntegers(counts, "counts", 0);
    if (list.length === 1) return this.#evenly(list[0] as number, along);
    if (list.length !== extent) {
      throw outOfRange(`there are ${list.length} counts for ${extent} elements of the shape [${this.shape.join()}]`);
    }
    const indices = list.flatMap((count, i) => Array.from({ length: count }, () => i));
    return this.take(Int32Array.from(indices), along === undefined ? {} : { axis: along });
  }

  /** One store of the array, broadcast along an axis that the result is thought to have beside the one that is repeated. */
  #evenly(count: number, along: number | undefined): DeviceArray<D> {
    const last = along ?? this.ndim - 1;
    const shape =
      along === undefined ? [this.size * count] : this.shape.with(along, (this.shape[along] as number) * count);
    return filled(this.xp.empty(shape, { dtype: this.dtype }), (result) => {
      if (result.size === 0) return;
      using target = result.reshape(this.shape.toSpliced(last + 1, 0, count));
      using source = this.expandDims(last + 1);
      assign(target, source);
    });
  }
}
