/** Choices with probabilities, which are on the host. */
import { outOfRange, rangeError, typeError } from "@cl/base";
import { takeWords } from "./permute.js";
import type { StreamState } from "./random-state.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { argsortArray } from "../sorting/sort-array.js";

/** Probabilities: non-negative numbers whose sum is 1, one for each element. */
export type Weights = readonly number[] | Float32Array | Float64Array;

/** Checks probabilities; `name` is the argument's. */
export function checkWeights(value: unknown, count: number, name = "options.p"): Float64Array {
  if (!Array.isArray(value) && !(value instanceof Float32Array) && !(value instanceof Float64Array)) {
    throw typeError(name, "an array of numbers, a Float32Array or a Float64Array", value);
  }
  if (value.length !== count) {
    throw outOfRange(`${name} must have ${count} probabilities, one for each element, received ${value.length}`);
  }
  let sum = 0;
  for (const [i, one] of (value as readonly unknown[]).entries()) {
    if (typeof one !== "number") throw typeError(`${name}[${i}]`, "a number", one);
    if (!(one >= 0)) throw rangeError(`${name}[${i}]`, "a number of at least 0", one);
    sum += one;
  }
  // As near as NumPy wants it, or as float32 can be.
  const close = value instanceof Float32Array ? 1e-4 : 1.5e-8;
  if (Math.abs(sum - 1) > close) throw outOfRange(`${name} must sum to 1, received a sum of ${sum}`);
  return Float64Array.from(value as ArrayLike<number>, (one) => one / sum);
}

/** The sums of probabilities in parts of 2^64; up to the last element that is possible. */
export function sumsOf(weights: Float64Array): BigUint64Array<ArrayBuffer> {
  const sums = new BigUint64Array(weights.findLastIndex((one) => one > 0) + 1);
  const words = new Uint32Array(sums.buffer);
  let sum = 0;
  for (let i = 0; i < sums.length; i++) {
    sum = Math.min(sum + (weights[i] as number), 1 - Number.EPSILON / 2);
    const high = Math.floor(sum * 2 ** 32);
    words[2 * i] = Math.floor((sum * 2 ** 32 - high) * 2 ** 32);
    words[2 * i + 1] = high;
  }
  return sums;
}

/**
 * Returns `size` distinct indices, chosen by weight without replacement: those with the smallest exponential variates
 * divided by their weights. The host draws the variates, so that they are the same on each device, and the device sorts
 * them.
 */
export function chosenOnce(
  xp: ArraySource,
  weights: Float64Array,
  size: number,
  state: StreamState,
): ArrayRef<"int64"> {
  const possible = weights.reduce((count, one) => count + Number(one > 0), 0);
  if (possible < size) {
    throw outOfRange(
      `options.p must have at least ${size} nonzero probabilities to choose without replacement, received ${possible}`,
    );
  }
  const words = takeWords(state, 2 * weights.length);
  const times = Float64Array.from(weights, (weight, i) => {
    const fraction = ((words[2 * i + 1] as number) * 2 ** 21 + ((words[2 * i] as number) >>> 11) + 0.5) / 2 ** 53;
    // No minus: the bits of -0 would come last.
    return (0 - Math.log(fraction)) / weight;
  });
  // The bits of positive numbers are ordered as they are, also on devices without float64.
  using keys = xp.fromHost(new BigUint64Array(times.buffer));
  using order = argsortArray(keys);
  return order.slice([0, size]).copy();
}
