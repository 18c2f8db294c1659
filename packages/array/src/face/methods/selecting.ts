/** Indices of nonzero elements, and selection by conditions and indices. */
import { checkOptions, checkSignal, outOfRange, typeError } from "@cl/base";
import { isArray } from "../../storage/check-array.js";
import { checkAxis } from "../../shapes/check-axes.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { PromotedDType } from "../../types/promoted-dtype.js";
import type { OutOfRangeMode } from "../../indexing/along-axis.js";
import { choose } from "../../indexing/choose.js";
import type { MaskArray, SizeOptions, SizeOrWaitOptions, WaitOptions } from "../../indexing/index-types.js";
import { MaskedRead } from "../../indexing/masks.js";
import { NonzeroRead } from "../../indexing/nonzero.js";
import { type IndexArrays, rowsOf } from "../../array/index-arrays.js";
import type { AnyArray, ArrayRef } from "../../storage/array-ref.js";
import type { OperandOrList, OutOptions } from "../../storage/operand-like.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { addComputations } from "../../array/add-methods.js";

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

/** Methods that find and choose elements. */
class SelectingMethods<D extends DTypeName> extends ArrayMethods<D> {
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
    if (size === undefined) return nonzeroRows(this, checkSignal(signal));
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
    const start = (): MaskedRead<D> => compressed(this, condition, along);
    if (size === undefined) return waitFor(start, checkSignal(signal));
    using read = start();
    return asDeviceArray(read.resultOf(fill === undefined ? { size } : { size, fill }));
  }

  /**
   * Returns an array whose elements are taken from `choices`, by this array's elements as indices; all arrays are
   * broadcast together. A choice may also be a scalar or a list.
   */
  choose<const A extends readonly OperandOrList[]>(choices: A, options?: ChooseOptions): DeviceArray<PromotedDType<A>> {
    return asDeviceArray(choose(this, choices, checkOptions(options, ["mode", "out"])));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends SelectingMethods<D> {}
}
addComputations(DeviceArray, SelectingMethods);

async function nonzeroRows(array: AnyArray, signal: AbortSignal | undefined): Promise<IndexArrays> {
  signal?.throwIfAborted();
  using read = new NonzeroRead(array);
  return rowsOf(await read.result(signal));
}

function compressed<D extends DTypeName>(
  source: ArrayRef<D>,
  condition: MaskArray | readonly boolean[],
  axis: number | undefined,
): MaskedRead<D> {
  using flat = axis === undefined ? source.ravel() : undefined;
  const array = flat ?? source;
  using made = isArray(condition) ? undefined : array.xp.array(condition, { dtype: "bool" });
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

async function waitFor<D extends DTypeName>(
  start: () => MaskedRead<D>,
  signal: AbortSignal | undefined,
): Promise<DeviceArray<D>> {
  signal?.throwIfAborted();
  using read = start();
  return asDeviceArray(await read.result(signal));
}
