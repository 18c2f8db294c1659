/** Repetition of elements. */
import { checkOptions, outOfRange } from "@cl/base";
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayReductions } from "./array-reductions.js";
import { assign } from "./assign.js";
import { checkAxis, checkIntegers } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";
import { filled } from "./filled.js";

/** Options of `repeat`. */
export interface RepeatOptions {
  /**
   * The axis to repeat along.
   * @defaultValue the array is flattened
   */
  readonly axis?: number;
}

/** The part of a `DeviceArray` that repeats elements. */
export abstract class ArrayRepeating<D extends DTypeName = DTypeName> extends ArrayReductions<D> {
  /** Returns a copy with each element repeated `counts` times, or by a count for each element. */
  repeat(counts: number | readonly number[], options?: RepeatOptions): DeviceArray<D> {
    const { axis } = checkOptions(options, ["axis"]);
    const along = axis === undefined ? undefined : checkAxis(axis, this.ndim, "options.axis");
    const extent = along === undefined ? this.size : (this.shape[along] as number);
    const list = checkIntegers(counts, "counts", 0);
    if (list.length === 1) return this.#evenly(list[0] as number, along);
    if (list.length !== extent) {
      throw outOfRange(
        `counts must have ${extent} elements for the shape [${this.shape.join()}], received ${list.length}`,
      );
    }
    const indices = list.flatMap((count, i) => Array.from({ length: count }, () => i));
    return this.take(Int32Array.from(indices), along === undefined ? {} : { axis: along });
  }

  /** Stores the array once, broadcast along an extra axis of the result next to the repeated one. */
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
