/** Indices of nonzero elements, and selection by conditions and indices. */
import { checkOptions, checkSignal, outOfRange, typeError } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import type { OutOptions } from "../array/array-operators.js";
import { isArray } from "../array/check-array.js";
import { checkAxis } from "../array/check-axes.js";
import type { DeviceArray } from "../array/device-array.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { PromotedDType } from "../types/promoted-dtype.js";
import type { OutOfRangeMode } from "./along-axis.js";
import { ArrayUpdates } from "./array-updates.js";
import { choose } from "./choose.js";
import type { MaskArray, SizeOptions, SizeOrWaitOptions, WaitOptions } from "./index-types.js";
import { MaskedRead } from "./masks.js";
import { type IndexArrays, NonzeroRead, rowsOf } from "./nonzero.js";

/** Options of `compress`. */
export interface CompressOptions {
  /**
   * The axis to select along.
   * @defaultValue the array is flattened
   */
  readonly axis?: number;
}

/** Options of `choose`. */
export interface ChooseOptions extends OutOptions {
  /**
   * How out-of-range indices are handled: throw (`"raise"`), wrap around (`"wrap"`), or clip to the range (`"clip"`).
   * @defaultValue "raise"
   */
  readonly mode?: OutOfRangeMode;
}

/** The part of a `DeviceArray` that finds and chooses elements. */
export abstract class ArraySelecting<D extends DTypeName = DTypeName> extends ArrayUpdates<D> {
  /**
   * Returns the indices of the nonzero elements, in C order: one array for each axis. Their number is computed on the
   * device, so the result is a promise; with `{ size }` it is arrays of that length, padded with `fill`.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([[0, 7], [8, 0]]);
   * const places = await a.nonzero();
   * console.log(await places[0].data(), await a.at(...places).data()); // BigInt64Array(2) [0n, 1n] Float64Array(2) [7, 8]
   * ```
   */
  nonzero(options: SizeOptions<"int64">): IndexArrays;
  nonzero(options?: WaitOptions): Promise<IndexArrays>;
  nonzero(options?: SizeOrWaitOptions<"int64">): IndexArrays | Promise<IndexArrays> {
    const { size, fill, signal } = checkOptions(options, ["size", "fill", "signal"]);
    if (size === undefined) return this.#nonzero(checkSignal(signal));
    using read = new NonzeroRead(this);
    return rowsOf(read.resultOf(size, fill));
  }

  /** Returns indices as {@link nonzero} does; blocks the event loop until they are counted. */
  nonzeroSync(): IndexArrays {
    using read = new NonzeroRead(this);
    return rowsOf(read.resultSync());
  }

  /**
   * Returns the elements, or slices along an axis, where a one-dimensional condition is true. The condition may be
   * shorter than the axis.
   */
  compress(condition: MaskArray | readonly boolean[], options: CompressOptions & SizeOptions<D>): DeviceArray<D>;
  compress(condition: MaskArray | readonly boolean[], options?: CompressOptions & WaitOptions): Promise<DeviceArray<D>>;
  compress(
    condition: MaskArray | readonly boolean[],
    options?: CompressOptions & SizeOrWaitOptions<D>,
  ): DeviceArray<D> | Promise<DeviceArray<D>> {
    const { axis, size, fill, signal } = checkOptions(options, ["axis", "size", "fill", "signal"]);
    const along = axis === undefined ? undefined : checkAxis(axis, this.ndim, "options.axis");
    const start = (): MaskedRead<D> => this.#compressed(condition, along);
    if (size === undefined) return waitFor(start, checkSignal(signal));
    using read = start();
    return read.resultOf(fill === undefined ? { size } : { size, fill });
  }

  /**
   * Returns an array whose elements are taken from `choices`, by this array's elements as indices; all arrays are
   * broadcast together.
   */
  choose<const A extends readonly AnyArray[]>(choices: A, options?: ChooseOptions): DeviceArray<PromotedDType<A>> {
    return choose(this, choices, checkOptions(options, ["mode", "out"]));
  }

  async #nonzero(signal: AbortSignal | undefined): Promise<IndexArrays> {
    signal?.throwIfAborted();
    using read = new NonzeroRead(this);
    return rowsOf(await read.result(signal));
  }

  #compressed(condition: MaskArray | readonly boolean[], axis: number | undefined): MaskedRead<D> {
    using flat = axis === undefined ? this.ravel() : undefined;
    const array = flat ?? (this as unknown as DeviceArray<D>);
    using made = isArray(condition) ? undefined : this.xp.array(condition, { dtype: "bool" });
    const mask = made ?? (condition as AnyArray);
    if (mask.dtype.name !== "bool") throw typeError("condition", "an array of booleans", condition);
    const extent = array.shape[axis ?? 0] as number;
    if (mask.ndim !== 1 || mask.size > extent) {
      throw outOfRange(
        `condition must have one axis of at most ${extent} elements, received shape [${mask.shape.join()}]`,
      );
    }
    const before = Array<":">(axis ?? 0).fill(":");
    using part = array.slice(...before, [0, mask.size]);
    return new MaskedRead(part, [...before, mask]);
  }
}

async function waitFor<D extends DTypeName>(
  start: () => MaskedRead<D>,
  signal: AbortSignal | undefined,
): Promise<DeviceArray<D>> {
  signal?.throwIfAborted();
  using read = start();
  return await read.result(signal);
}
