/** Counts of integers. */
import { checkInteger, checkOptions, checkSignal, outOfRange, wrongType, wrongValue } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import { kindOf } from "../types/promote.js";
import { contiguousAs } from "../elementwise/contiguous-as.js";
import { countBins } from "./count-bins.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import * as reductions from "../reductions/reduce.js";

/** Options of `bincount`. */
export interface BincountOptions {
  /**
   * Weight of each element: an array of real numbers of the same shape.
   * @defaultValue 1 for each element
   */
  readonly weights?: AnyArray | undefined;
  /**
   * Minimum number of counts.
   * @defaultValue 0
   */
  readonly minLength?: number | undefined;
  /**
   * Number of counts. With it the call need not wait for the largest element. If an element is not below it, the next
   * operation that waits throws.
   */
  readonly size?: number | undefined;
  /** Signal that ends the wait, but not the computation. */
  readonly signal?: AbortSignal | undefined;
}

/** Checks, and counts now if the size is known. */
export function bincount(
  xp: ArraySource,
  array: AnyArray,
  options: BincountOptions | undefined,
): ArrayRef | Promise<ArrayRef> {
  const { weights, minLength = 0, size, signal } = checkOptions(options, ["weights", "minLength", "size", "signal"]);
  checkArray(array, xp, "array");
  if (array.ndim !== 1) throw outOfRange(`bincount needs an array of one axis, received shape [${array.shape.join()}]`);
  if (kindOf(array.dtype.name) > 2) {
    throw wrongType(`bincount needs an array of integers, received ${array.dtype.name}`);
  }
  if (weights !== undefined) checkWeights(weights, xp, array.shape);
  checkInteger(minLength, "options.minLength", 0, 2 ** 31 - 1);
  checkSignal(signal);
  if (size !== undefined) {
    checkInteger(size, "options.size", 0, 2 ** 31 - 1);
    if (size < minLength) {
      throw outOfRange(`options.size must be at least options.minLength (${minLength}), received ${size}`);
    }
    if (size === 0 && array.size > 0) {
      throw outOfRange(`options.size must be at least 1 for ${array.size} elements, received 0`);
    }
    return counted(xp, array, size, weights);
  }
  return waiting(xp, array, weights, minLength, signal);
}

/** Weights of elements of a shape. */
export function checkWeights(weights: unknown, xp: ArraySource, shape: readonly number[]): AnyArray {
  const given = checkArray(weights, xp, "options.weights");
  if (String(given.shape) !== String(shape)) {
    throw outOfRange(
      `options.weights must have the shape [${shape.join()}] of the elements, received [${given.shape.join()}]`,
    );
  }
  if (kindOf(given.dtype.name) === 4) throw wrongType("options.weights must be real numbers, received complex numbers");
  return given;
}

function counted(xp: ArraySource, array: AnyArray, bins: number, weights: AnyArray | undefined): ArrayRef {
  if (array.dtype.name === "bool") {
    using numbers = array.astype("uint8");
    return countBins(xp, { elements: numbers, bins, weights });
  }
  using elements = contiguousAs(array, array.dtype.name);
  return countBins(xp, { elements, bins, weights });
}

async function waiting(
  xp: ArraySource,
  array: AnyArray,
  given: AnyArray | undefined,
  minLength: number,
  signal: AbortSignal | undefined,
): Promise<ArrayRef> {
  signal?.throwIfAborted();
  if (array.size === 0) return counted(xp, array, minLength, given);
  using elements = array.slice();
  using weights = given?.slice();
  const unlock = [elements, weights].flatMap((one) =>
    one === undefined ? [] : [one.operand().storage.ordering.promise()],
  );
  try {
    using least = reductions.min(elements);
    using largest = reductions.max(elements);
    const wait = signal === undefined ? {} : { signal };
    const [low, high] = (await Promise.all([least.item(wait), largest.item(wait)])).map(Number) as [number, number];
    if (low < 0) throw wrongValue(`the elements must be at least 0, received ${low}`);
    if (high >= 2 ** 31 - 1) {
      throw outOfRange(`the elements must be smaller; the largest, ${high}, needs ${high + 1} counts`);
    }
    return counted(xp, elements, Math.max(minLength, high + 1), weights);
  } finally {
    for (const one of unlock) one();
  }
}
