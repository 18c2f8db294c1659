/** Indexing functions of several arrays, and checks for out-of-range indices. */
import { checkInstance, checkList, checkOptions, checkShape, checkSignal, outOfRange } from "@cl/base";

import type { Shape } from "@cl/core";
import { checkArray } from "../../storage/check-array.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { TakeOptions } from "../../indexing/take.js";
import type { StoredValues } from "../methods/indexing.js";
import { type Piece, piecewise } from "../../indexing/piecewise.js";
import { select } from "../../indexing/choose.js";
import { lookForFaults } from "../../faults/device-faults.js";
import type {
  HostIndices,
  IntegerArray,
  MaskArray,
  SizeOptions,
  SizeOrWaitOptions,
  WaitOptions,
} from "../../indexing/index-types.js";
import { place } from "../../indexing/masked-store.js";
import { NonzeroRead } from "../../indexing/nonzero.js";
import { rowsOf } from "../../array/index-arrays.js";
import { withValues } from "../../indexing/scatter.js";
import type { AnyArray, ArrayRef } from "../../storage/array-ref.js";
import type { OperandOrList, OutOptions } from "../../storage/operand-like.js";
import { Arrays, asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Indexing functions. */
class IndexingFunctions {
  /** Returns the indices of the nonzero elements, one row for each. See {@link DeviceArray.nonzero}. */
  argwhere(this: Arrays, array: AnyArray, options: SizeOptions<"int64">): DeviceArray<"int64">;
  argwhere(this: Arrays, array: AnyArray, options?: WaitOptions): Promise<DeviceArray<"int64">>;
  argwhere(
    this: Arrays,
    array: AnyArray,
    options?: SizeOrWaitOptions<"int64">,
  ): DeviceArray<"int64"> | Promise<DeviceArray<"int64">> {
    return found(checkArray(array, this, "array"), checkOptions(options, ["size", "fill", "signal"]), (rows) => {
      using all = asDeviceArray(rows);
      return all.T;
    });
  }

  /** Returns the indices of the nonzero elements of the flattened array. See {@link DeviceArray.nonzero}. */
  flatnonzero(this: Arrays, array: AnyArray, options: SizeOptions<"int64">): DeviceArray<"int64">;
  flatnonzero(this: Arrays, array: AnyArray, options?: WaitOptions): Promise<DeviceArray<"int64">>;
  flatnonzero(
    this: Arrays,
    array: AnyArray,
    options?: SizeOrWaitOptions<"int64">,
  ): DeviceArray<"int64"> | Promise<DeviceArray<"int64">> {
    using flat = checkArray(array, this, "array").ravel();
    return found(flat, checkOptions(options, ["size", "fill", "signal"]), (rows) => rowsOf(rows)[0]);
  }

  /** Returns the elements, in C order, where a condition of the same size is true. */
  extract<D extends DTypeName>(
    this: Arrays,
    condition: MaskArray,
    array: DeviceArray<D>,
    options: SizeOptions<D>,
  ): DeviceArray<D>;
  extract<D extends DTypeName>(
    this: Arrays,
    condition: MaskArray,
    array: DeviceArray<D>,
    options?: WaitOptions,
  ): Promise<DeviceArray<D>>;
  extract<D extends DTypeName>(
    this: Arrays,
    condition: MaskArray,
    array: DeviceArray<D>,
    options?: SizeOptions<D> | WaitOptions,
  ): DeviceArray<D> | Promise<DeviceArray<D>> {
    using mask = checkArray(condition, this, "condition").ravel();
    if (mask.size !== checkInstance(array, DeviceArray, "array").size) {
      throw outOfRange(
        `condition must have the shape [${array.shape.join()}] of the array, received [${condition.shape.join()}]`,
      );
    }
    using flat = array.ravel();
    return flat.compress(mask as MaskArray, options as WaitOptions);
  }

  /** Stores values in order where a mask of the array's shape is true; values are repeated if there are too few. */
  place<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    mask: MaskArray,
    values: StoredValues<D>,
  ): DeviceArray<D> {
    checkArray(array, this, "array");
    checkArray(mask, this, "mask");
    withValues(array, values, false, (given) => place(array, mask, given));
    return array;
  }

  /**
   * Returns for each element the choice of the first condition that is true, or `otherwise`, by default 0, if none is.
   * All arrays are broadcast together, in one kernel. Choices may also be scalars or lists.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 5, 9]);
   * console.log(await xp.select([a.less(3), a.less(7)], [a, a.mul(10)], { otherwise: -1 }).data()); // Float64Array(3) [1, 50, -1]
   * ```
   */
  select(
    this: Arrays,
    conditions: readonly AnyArray[],
    choices: readonly OperandOrList[],
    options?: OutOptions & { readonly otherwise?: OperandOrList },
  ): DeviceArray {
    const { otherwise = 0, ...out } = checkOptions(options, ["out", "otherwise"]);
    return asDeviceArray(select(conditions, choices, otherwise, out));
  }

  /**
   * Returns, with the array's dtype, the piece of the last condition that is true for each element; without one, the
   * piece after those of the conditions, by default 0. A piece is a value, or a function that computes values from the
   * whole array. Arrays that the functions create are released.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const x = xp.array([-2, -1, 0, 1, 2]);
   * console.log(await xp.piecewise(x, [x.less(0), x.greater(1)], [(all) => all.negative(), 10, -1]).data()); // Float64Array(5) [2, 1, -1, -1, 10]
   * ```
   */
  piecewise<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    conditions: readonly MaskArray[],
    pieces: readonly Piece<DeviceArray<D>>[],
  ): DeviceArray<D> {
    return this.scope(() => asDeviceArray(piecewise(this, array, conditions, pieces)) as DeviceArray<D>);
  }

  /** Returns the result of `take` for each of several arrays. */
  multiTake<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    indices: number | HostIndices | IntegerArray,
    options?: Omit<TakeOptions, "out"> & { readonly out?: readonly AnyArray[] },
  ): A {
    const { out, ...rest } = checkOptions(options, ["axis", "mode", "out"]);
    const given = checkList(arrays, "arrays", "a list of arrays");
    checkCount(out, given, "options.out");
    const list = given.map((array, i) => {
      const one = checkInstance(checkArray(array, this, `arrays[${i}]`), DeviceArray, `arrays[${i}]`);
      return one.take(indices, out === undefined ? rest : { ...rest, out: out[i] as AnyArray });
    });
    return list as readonly AnyArray[] as A;
  }

  /** Stores the elements of several arrays, in C order, at indices of as many others: new ones of a shape, or `out`. */
  multiPut<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    indices: HostIndices | IntegerArray,
    options: { readonly shape: Shape; readonly out?: undefined } | { readonly out: readonly AnyArray[] },
  ): A {
    const { shape, out } = checkOptions(options, ["shape", "out"]) as { shape?: Shape; out?: readonly AnyArray[] };
    const given = checkList(arrays, "arrays", "a list of arrays").map((one, i) =>
      checkArray(one, this, `arrays[${i}]`),
    );
    checkCount(out, given, "options.out");
    const made = out ?? given.map(({ dtype }) => this.zeros(checkShape(shape, "options.shape"), { dtype }));
    for (const [i, array] of given.entries()) {
      checkInstance(made[i], DeviceArray, `options.out[${i}]`).put(indices, array);
    }
    return made as A;
  }

  /** Copies elements of several arrays from some indices to others: `multiTake` and `multiPut` combined. */
  multiTakePut<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    to: HostIndices | IntegerArray,
    from: HostIndices | IntegerArray,
    options: { readonly shape: Shape; readonly out?: undefined } | { readonly out: readonly AnyArray[] },
  ): A {
    const taken = this.multiTake(arrays, from);
    try {
      return this.multiPut(taken, to, options);
    } finally {
      for (const one of taken) one.release();
    }
  }

  /**
   * Resolves when all device indices enqueued so far have been checked; rejects if one was out of range. Every
   * operation that waits for values does the same, so only programs that never read values need this.
   */
  async check(this: Arrays, options?: WaitOptions): Promise<void> {
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    signal?.throwIfAborted();
    await lookForFaults(this)?.finish(signal);
  }

  /** Checks as {@link check} does; blocks the event loop. */
  checkSync(this: Arrays): void {
    lookForFaults(this)?.finishSync();
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends IndexingFunctions {}
}
addComputations(Arrays, IndexingFunctions);

function checkCount(out: readonly unknown[] | undefined, arrays: readonly unknown[], name: string): void {
  if (out === undefined || out.length === arrays.length) return;
  throw outOfRange(`${name} must have ${arrays.length} arrays, received ${out.length}`);
}

/** Returns the indices where an array is nonzero, immediately if their number is known. */
function found<R>(
  array: AnyArray,
  { size, fill, signal }: SizeOrWaitOptions<"int64">,
  give: (rows: ArrayRef<"int64">) => R,
): R | Promise<R> {
  checkSignal(signal);
  const read = new NonzeroRead(array);
  if (size !== undefined) {
    using known = read;
    return give(known.resultOf(size, fill));
  }
  return (async () => {
    using counting = read;
    signal?.throwIfAborted();
    return give(await counting.result(signal));
  })();
}
