/**
 * Sample sort for CPUs. A radix sort of whole lines takes a pass over memory for each digit; here only the moves to buckets do.
 * Elements are written directly to their buckets: 256 streams fit into the caches of current CPUs.
 */
import { macros } from "../kernels/macros.js";
import buckets from "./buckets.cl";
import { keySource, type KeyPlan } from "./key-source.js";
import { placeMacros, type PlacePlan } from "./places.js";

/** Number of elements of the sample for each bucket. With 8, buckets have up to about twice as many elements as on average. */
export const samplesOfBucket = 8;

/** Binary logarithm of the number of intervals in which splitters are looked up. */
export const intervalBits = 12;

/** What the text depends on. */
export interface BucketsPlan extends KeyPlan {
  readonly places: PlacePlan;
}

/** The program of `plan`, `count`, `move` and `sort`. */
export function bucketsSource({ places, ...keys }: BucketsPlan): string {
  const own = {
    WIDENS: places.type === "uint" && places.result === "long" ? 1 : 0,
    SAMPLES: samplesOfBucket,
    INTERVAL_BITS: intervalBits,
  };
  return `${keySource(keys)}${macros({ ...placeMacros(places), ...own })}${buckets}`;
}
