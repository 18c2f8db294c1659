/** Indexing of records with arrays: their units stay together along the last axis. */
import { checkOptions, checkSignal, outOfRange, wrongType } from "@cl/base";
import type { DTypeValue } from "@cl/core";
import { addMethods } from "../../array/add-methods.js";
import { asDeviceArray } from "../../array/arrays.js";
import { RecordArray } from "../../array/record-array.js";
import type { OutOfRangeMode } from "../../indexing/along-axis.js";
import type { ArrayIndex, HostIndices, IntegerArray, MaskArray, WaitOptions } from "../../indexing/index-types.js";
import { isMask, MaskedRead, readAt, readMasked } from "../../indexing/masks.js";
import { storeAt } from "../../indexing/store-at.js";
import { take } from "../../indexing/take.js";
import { checkAxis } from "../../shapes/check-axes.js";
import { isArray } from "../../storage/check-array.js";
import { isOptions } from "./indexing.js";
import type { AnyArray } from "../../storage/array-ref.js";

/** Options of `RecordArray.take`. */
export interface RecordTakeOptions {
  /**
   * The axis to index.
   * @defaultValue the records are flattened
   */
  readonly axis?: number;
  /**
   * How out-of-range indices are handled: throw (`"raise"`), wrap around (`"wrap"`), or clip to the range (`"clip"`).
   * @defaultValue "raise"
   */
  readonly mode?: OutOfRangeMode;
}

/** Options of `RecordArray.at` for results of a known size. */
export interface RecordSizeOptions {
  /** Number of results: more are ignored, and missing ones have only zero bytes. */
  readonly size: number;
  /** Distinguishes options from arrays. */
  readonly dtype?: never;
}

/** Methods that index records with arrays. */
class RecordIndexing {
  /**
   * Returns a copy of the indexed records; the indices and masks are those of `DeviceArray.at`.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const pairs = xp.recordsFrom([[1, 2], [3, 4], [5, 6]], "int2");
   * console.log(await pairs.at([2, 0]).toNested()); // [ [ 5, 6 ], [ 1, 2 ] ]
   * const large = await pairs.at(pairs.components.slice(":", 0).greater(2));
   * console.log(await large.toNested()); // [ [ 3, 4 ], [ 5, 6 ] ]
   * ```
   */
  at(this: RecordArray, ...indices: readonly ArrayIndex[]): RecordArray;
  at(this: RecordArray, ...indices: readonly [...(ArrayIndex | MaskArray)[], RecordSizeOptions]): RecordArray;
  at(this: RecordArray, ...indices: readonly [...(ArrayIndex | MaskArray)[], WaitOptions]): Promise<RecordArray>;
  at(this: RecordArray, ...indices: readonly (ArrayIndex | MaskArray)[]): Promise<RecordArray>;
  at(this: RecordArray, ...args: readonly unknown[]): RecordArray | Promise<RecordArray> {
    const last = args.at(-1);
    const given = isOptions(last);
    const indices = ofUnits(this, given ? args.slice(0, -1) : args);
    const options = (given ? last : undefined) as Partial<Pick<RecordSizeOptions, "size">> & WaitOptions;
    const { size, signal } = checkOptions(options, ["size", "signal"]);
    const { units } = this;
    const own = checkSignal(signal);
    if (!indices.some((index) => isMask(index))) return recordsOf(this, readAt(units, indices, new Map()));
    if (size === undefined) return readMasked(units, indices, own).then((read) => recordsOf(this, read));
    using read = new MaskedRead(units, indices);
    return recordsOf(this, read.resultOf({ size }));
  }

  /** Reads as {@link at} does; blocks the event loop if a mask has to be counted. */
  atSync(this: RecordArray, ...indices: readonly (ArrayIndex | MaskArray)[]): RecordArray {
    const own = ofUnits(this, indices);
    if (!own.some((index) => isMask(index))) return recordsOf(this, readAt(this.units, own, new Map()));
    using read = new MaskedRead(this.units, own);
    return recordsOf(this, read.resultSync());
  }

  /** Stores records of the same type, broadcast, or one value at the records that {@link at} would read. */
  setAt(
    this: RecordArray,
    indices: IntegerArray | MaskArray | readonly (ArrayIndex | MaskArray)[],
    values: RecordArray | DTypeValue,
  ): RecordArray {
    const own = ofUnits(this, Array.isArray(indices) ? (indices as readonly unknown[]) : [indices]);
    if (values instanceof RecordArray) {
      if (!values.dtype.equals(this.dtype)) {
        throw wrongType(`values must have the type ${this.dtype.name}, received ${String(values)}`);
      }
      storeAt(this.units, own, values.units, "scatter");
      return this;
    }
    const bytes = new Uint8Array(this.dtype.itemSize);
    this.dtype.set(new DataView(bytes.buffer), 0, values);
    using one = this.units.xp.fromHost(bytes, { dtype: this.units.dtype.name });
    storeAt(this.units, own, one, "scatter");
    return this;
  }

  /** Returns the records at indices along an axis, or of the flattened records. */
  take(this: RecordArray, indices: number | HostIndices | IntegerArray, options?: RecordTakeOptions): RecordArray {
    const { axis, mode } = checkOptions(options, ["axis", "mode"]);
    const rest = mode === undefined ? {} : { mode };
    if (axis !== undefined) {
      const along = checkAxis(axis, this.ndim, "options.axis");
      return recordsOf(this, take(this.units, indices, { axis: along, ...rest }));
    }
    using line = this.reshape([this.size]);
    return recordsOf(this, take(line.units, indices, { axis: 0, ...rest }));
  }
}

declare module "../../array/record-array.js" {
  interface RecordArray extends RecordIndexing {}
}
addMethods(RecordArray, RecordIndexing);

function recordsOf({ dtype }: RecordArray, units: AnyArray): RecordArray {
  return new RecordArray(asDeviceArray(units), dtype);
}

/** Indices of records as indices of their units, all of which are selected. */
function ofUnits({ ndim }: RecordArray, indices: readonly unknown[]): readonly unknown[] {
  const axes = indices.reduce<number>((count, index) => {
    if (index === null || index === "...") return count;
    return count + (isMask(index) ? index.ndim : isArray(index) ? 1 : axesOf(index));
  }, 0);
  if (axes > ndim) throw outOfRange(`records with ${ndim} axes cannot be indexed with ${axes} indices`);
  return indices.includes("...") ? [...indices, ":"] : [...indices, "...", ":"];
}

/** Number of axes that an index of the host selects from: nested booleans are masks. */
function axesOf(index: unknown): number {
  let [first, axes] = [index, 0];
  while (Array.isArray(first)) [first, axes] = [(first as readonly unknown[])[0], axes + 1];
  return typeof first === "boolean" ? axes : 1;
}
