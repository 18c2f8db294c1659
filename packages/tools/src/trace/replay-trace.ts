/** Playing a trace on an allocator. */
import { checkFunction, checkInteger, checkOptions, describe, typeError } from "@cl/base";
import { OutOfMemoryError } from "@cl/core";

import type { LogLine } from "../adaptors/log-adaptor.js";
import { allocatorName } from "../adaptors/upstream.js";
import { parseTrace } from "./parse-trace.js";
import { Trace } from "./trace.js";

/** The little that a trace needs of memory. */
export interface ReplayMemory {
  readonly size?: number;
  release(): void;
}

/** The little that a trace needs of an allocator: every allocator is one, and arithmetic without a device can be. */
export interface ReplayAllocator {
  allocate(bytes: number): ReplayMemory | null;
}

/** How to replay. */
export interface ReplayOptions {
  /** Called after every so many requests, with the number of requests until then. */
  readonly onProgress?: (requests: number) => void;
  /** How many requests lie between two calls of `onProgress`; 10 000 if not said. */
  readonly every?: number;
}

/** What a replay has seen. */
export interface ReplayResult {
  /** How many requests there were. */
  readonly requests: number;
  /** How many of them found no memory. */
  readonly failures: number;
  /** The most bytes asked for and not released at any time. */
  readonly peakBytes: number;
  /** All bytes that were asked for and given. */
  readonly totalBytes: number;
  /** The bytes that came for them, by the sizes of the memory; those asked for, where memory says no size. */
  readonly totalSize: number;
  /** The most pieces of memory at any time. */
  readonly peakCount: number;
  /** How long it took, in milliseconds. */
  readonly duration: number;
}

/**
 * Allocates and releases as a trace says: one from `generateTrace`, `parseTrace` or `readTrace`, or the lines of a log,
 * which are parsed first. A request that ends in an `OutOfMemoryError` is counted and its release passed over; another
 * error ends the replay. Whatever is left at the end is released. It costs a few nanoseconds a request of its own.
 *
 * @example
 * ```ts
 * const trace = generateTrace({ requests: 1000, maxBytes: 4096 });
 * const { requests, failures } = replayTrace(trace, new DeferredAllocator(context));
 * console.log(requests, failures); // 1000 0
 * ```
 */
export function replayTrace(
  trace: Trace | Iterable<string | LogLine>,
  allocator: ReplayAllocator,
  options?: ReplayOptions,
): ReplayResult {
  if (typeof (allocator as Partial<ReplayAllocator> | undefined)?.allocate !== "function") {
    throw typeError("allocator", "an allocator, with allocate(bytes)", allocator);
  }
  const { onProgress, every = 10_000 } = checkOptions(options, ["onProgress", "every"]);
  if (onProgress !== undefined) checkFunction(onProgress, "options.onProgress");
  checkInteger(every, "options.every", 1);
  const run = new Replay(trace instanceof Trace ? trace : parseTrace(trace), allocator);
  const began = performance.now();
  try {
    run.run(onProgress, every);
  } finally {
    run.releaseAll();
  }
  return { ...run.result(), duration: performance.now() - began };
}

class Replay {
  readonly #trace: Trace;
  readonly #allocator: ReplayAllocator;
  readonly #slots: (ReplayMemory | null)[];
  readonly #held: Float64Array;
  #requests = 0;
  #failures = 0;
  #live = 0;
  #count = 0;
  #peak = 0;
  #peakCount = 0;
  #total = 0;
  #totalSize = 0;

  constructor(trace: Trace, allocator: ReplayAllocator) {
    this.#trace = trace;
    this.#allocator = allocator;
    this.#slots = Array.from({ length: trace.slots }, () => null);
    this.#held = new Float64Array(trace.slots);
  }

  run(onProgress: ((requests: number) => void) | undefined, every: number): void {
    const { codes, bytes, steps } = this.#trace;
    let left = every;
    for (let i = 0; i < steps; i++) {
      const code = codes[i] as number;
      if (code < 0) {
        this.#release(~code);
        continue;
      }
      this.#request(code, bytes[i] as number);
      if (onProgress !== undefined && --left === 0) {
        left = every;
        onProgress(this.#requests);
      }
    }
  }

  releaseAll(): void {
    for (let slot = 0; slot < this.#slots.length; slot++) this.#release(slot);
  }

  result(): Omit<ReplayResult, "duration"> {
    return {
      requests: this.#requests,
      failures: this.#failures,
      peakBytes: this.#peak,
      totalBytes: this.#total,
      totalSize: this.#totalSize,
      peakCount: this.#peakCount,
    };
  }

  #request(slot: number, bytes: number): void {
    this.#requests++;
    const memory = this.#ask(bytes);
    this.#slots[slot] = memory;
    if (memory === null) return;
    this.#held[slot] = bytes;
    this.#total += bytes;
    this.#totalSize += memory.size ?? bytes;
    this.#live += bytes;
    if (this.#live > this.#peak) this.#peak = this.#live;
    if (++this.#count > this.#peakCount) this.#peakCount = this.#count;
  }

  #ask(bytes: number): ReplayMemory | null {
    let memory: ReplayMemory | null;
    try {
      memory = this.#allocator.allocate(bytes);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      this.#failures++;
      return null;
    }
    if (memory === null ? bytes > 0 : typeof (memory as Partial<ReplayMemory> | undefined)?.release !== "function") {
      throw new TypeError(
        `${allocatorName(this.#allocator)} was asked for ${bytes} bytes and gave ${describe(memory)}`,
      );
    }
    return memory;
  }

  #release(slot: number): void {
    const memory = this.#slots[slot] as ReplayMemory | null;
    if (memory === null) return;
    this.#slots[slot] = null;
    this.#live -= this.#held[slot] as number;
    this.#count--;
    memory.release();
  }
}
