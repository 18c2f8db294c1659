/** Traces that are made up, and always the same for the same seed. */
import { checkInteger, checkOptions, randomNumbers, rangeError } from "@cl/base";

import { Trace, TraceBuilder } from "./trace.js";

/** What a generated trace is like. */
export interface GenerateTraceOptions {
  /** How many requests for memory. */
  readonly requests: number;
  /** What everything random follows from, an integer of 32 bits; 1 if not said. */
  readonly seed?: number;
  /** The smallest request; 256 if not said. */
  readonly minBytes?: number;
  /** The largest request; 64 MiB if not said. Sizes are log-uniform: each power of two is as likely as any other. */
  readonly maxBytes?: number;
  /** How many requests memory outlives on average, so about how many pieces there are at a time; 16 if not said. */
  readonly meanLifetime?: number;
}

/**
 * Makes up a trace. Sizes are log-uniform, lifetimes are exponential, and at the end everything has been released.
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
    throw rangeError("options.meanLifetime", "a number above 0", meanLifetime);
  }
  const random = randomNumbers(seed);
  const builder = new TraceBuilder();
  const ends = new Ends(requests);
  const range = Math.log((maxBytes + 1) / minBytes);
  for (let now = 0; now < requests; now++) {
    ends.each(now, (slot) => builder.release(slot));
    const bytes = Math.min(maxBytes, Math.floor(minBytes * Math.exp(random() * range)));
    // 1 - random(), since the logarithm of 0 is no lifetime.
    const lifetime = 1 + Math.floor(-Math.log(1 - random()) * meanLifetime);
    ends.add(Math.min(requests, now + lifetime), builder.allocate(bytes));
  }
  ends.each(requests, (slot) => builder.release(slot));
  return new Trace(builder);
}

/** Which slots become free before which request: linked lists in typed arrays, since there may be millions. */
class Ends {
  readonly #first: Int32Array;
  /** Of each slot, the next in its list. A slot is in one list at a time. */
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
