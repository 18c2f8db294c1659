/** Synthetic traces, reproducible by their seed. */
import { checkInteger, checkOptions, randomNumbers, rangeError } from "@cl/base";

import { Trace, TraceBuilder } from "./trace.js";

/** Options of {@link generateTrace}. */
export interface GenerateTraceOptions {
  /** Number of allocation requests. */
  readonly requests: number;
  /** 32-bit seed of the random numbers. @defaultValue 1 */
  readonly seed?: number;
  /** Minimum size of a request. @defaultValue 256 */
  readonly minBytes?: number;
  /** Maximum size of a request. @defaultValue 64 MiB */
  readonly maxBytes?: number;
  /** Mean lifetime in requests, which is about the mean number of live allocations. @defaultValue 16 */
  readonly meanLifetime?: number;
}

/**
 * Generates a random trace. Sizes are log-uniform (each power of two is equally likely), lifetimes are exponential, and
 * everything is released at the end.
 *
 * @example
 * ```ts
 * const trace = generateTrace({ requests: 10_000, seed: 7, maxBytes: 2 ** 20 });
 * console.log(trace.requests, trace.steps); // 10000 20000
 * ```
 */
export function generateTrace(options: GenerateTraceOptions): Trace {
  const {
    requests,
    seed = 1,
    minBytes = 256,
    maxBytes = 64 * 2 ** 20,
    meanLifetime = 16,
  } = checkOptions(options, ["requests", "seed", "minBytes", "maxBytes", "meanLifetime"]);
  checkInteger(requests, "options.requests", 0, 2 ** 29);
  checkInteger(seed, "options.seed", 0, 2 ** 32 - 1);
  checkInteger(minBytes, "options.minBytes", 1);
  checkInteger(maxBytes, "options.maxBytes", minBytes);
  if (typeof meanLifetime !== "number" || !(meanLifetime > 0 && meanLifetime < Infinity)) {
    throw rangeError("options.meanLifetime", "a finite number greater than 0", meanLifetime);
  }
  const random = randomNumbers(seed);
  const builder = new TraceBuilder();
  const releases = new ReleaseSchedule(requests);
  const range = Math.log((maxBytes + 1) / minBytes);
  for (let now = 0; now < requests; now++) {
    releases.each(now, (slot) => builder.release(slot));
    const bytes = Math.min(maxBytes, Math.floor(minBytes * Math.exp(random() * range)));
    // 1 - random() is never 0, whose logarithm is infinite.
    const lifetime = 1 + Math.floor(-Math.log(1 - random()) * meanLifetime);
    releases.add(Math.min(requests, now + lifetime), builder.allocate(bytes));
  }
  releases.each(requests, (slot) => builder.release(slot));
  return new Trace(builder);
}

/** The slots to release before each request, as linked lists in arrays, since there may be millions. */
class ReleaseSchedule {
  readonly #first: Int32Array;
  /** The next slot after each slot in its list. A slot is in one list at a time. */
  readonly #next: number[] = [];

  constructor(requests: number) {
    this.#first = new Int32Array(requests + 1).fill(-1);
  }

  add(time: number, slot: number): void {
    this.#next[slot] = this.#first[time] as number;
    this.#first[time] = slot;
  }

  each(time: number, callback: (slot: number) => void): void {
    for (let slot = this.#first[time] as number; slot >= 0; slot = this.#next[slot] as number) callback(slot);
  }
}
