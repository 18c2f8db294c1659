/** Replays traces on allocators. */
import { checkFunction, checkInteger, checkOptions, describe, typeError, wrongType } from "@cl/base";
import { OutOfMemoryError } from "@cl/core";

import type { LogLine } from "../adaptors/log-adaptor.js";
import { allocatorName } from "../adaptors/upstream.js";
import { parseTrace } from "./parse-trace.js";
import { Trace } from "./trace.js";

/** The part of an allocation that a replay uses. */
export interface ReplayMemory {
  readonly size?: number;
  release(): void;
}

/** The part of an allocator that a replay uses. A simulation without a device can implement it, too. */
export interface ReplayAllocator {
  allocate(bytes: number): ReplayMemory | null;
}

/** Options of {@link replayTrace}. */
export interface ReplayOptions {
  /** Called after every `progressInterval` requests with the number of requests so far. */
  readonly onProgress?: (requests: number) => void;
  /** Number of requests between two calls of `onProgress`. @defaultValue 10_000 */
  readonly progressInterval?: number;
}

/** Statistics of a replay. */
export interface ReplayResult {
  /** Number of requests. */
  readonly requests: number;
  /** Number of requests that failed because memory ran out. */
  readonly failures: number;
  /** Peak number of requested bytes that were live at the same time. */
  readonly peakBytes: number;
  /** Total bytes of successful requests. */
  readonly totalBytes: number;
  /** Total size of the allocated memory; the requested bytes are counted for memory without a `size`. */
  readonly totalSize: number;
  /** Peak number of live allocations. */
  readonly peakCount: number;
  /** Duration in milliseconds. */
  readonly duration: number;
}

/**
 * Replays the requests and releases of a trace from `generateTrace`, `parseTrace` or `readTrace`, or of the lines of a
 * log, which are parsed first. A request that throws an `OutOfMemoryError` is counted as a failure and its release is
 * skipped; another error ends the replay. All remaining memory is released at the end. The replay itself adds a few
 * nanoseconds per request.
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
    throw typeError("allocator", "an allocator with a method allocate(bytes)", allocator);
  }
  const { onProgress, progressInterval = 10_000 } = checkOptions(options, ["onProgress", "progressInterval"]);
  if (onProgress !== undefined) checkFunction(onProgress, "options.onProgress");
  checkInteger(progressInterval, "options.progressInterval", 1);
  const run = new Replay(trace instanceof Trace ? trace : parseTrace(trace), allocator);
  const start = performance.now();
  try {
    run.run(onProgress, progressInterval);
  } finally {
    run.releaseAll();
  }
  return { ...run.result(), duration: performance.now() - start };
}

class Replay {
  readonly #trace: Trace;
  readonly #allocator: ReplayAllocator;
  readonly #slots: (ReplayMemory | null)[];
  readonly #bytesOf: Float64Array;
  #requests = 0;
  #failures = 0;
  #liveBytes = 0;
  #liveCount = 0;
  #peakBytes = 0;
  #peakCount = 0;
  #totalBytes = 0;
  #totalSize = 0;

  constructor(trace: Trace, allocator: ReplayAllocator) {
    this.#trace = trace;
    this.#allocator = allocator;
    this.#slots = Array.from({ length: trace.slots }, () => null);
    this.#bytesOf = new Float64Array(trace.slots);
  }

  run(onProgress: ((requests: number) => void) | undefined, progressInterval: number): void {
    const { codes, bytes, steps } = this.#trace;
    let untilProgress = progressInterval;
    for (let i = 0; i < steps; i++) {
      const code = codes[i] as number;
      if (code < 0) {
        this.#release(~code);
        continue;
      }
      this.#request(code, bytes[i] as number);
      if (onProgress !== undefined && --untilProgress === 0) {
        untilProgress = progressInterval;
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
      peakBytes: this.#peakBytes,
      totalBytes: this.#totalBytes,
      totalSize: this.#totalSize,
      peakCount: this.#peakCount,
    };
  }

  #request(slot: number, bytes: number): void {
    this.#requests++;
    const memory = this.#allocate(bytes);
    this.#slots[slot] = memory;
    if (memory === null) return;
    this.#bytesOf[slot] = bytes;
    this.#totalBytes += bytes;
    this.#totalSize += memory.size ?? bytes;
    this.#liveBytes += bytes;
    if (this.#liveBytes > this.#peakBytes) this.#peakBytes = this.#liveBytes;
    if (++this.#liveCount > this.#peakCount) this.#peakCount = this.#liveCount;
  }

  #allocate(bytes: number): ReplayMemory | null {
    let memory: ReplayMemory | null;
    try {
      memory = this.#allocator.allocate(bytes);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      this.#failures++;
      return null;
    }
    if (memory === null ? bytes > 0 : typeof (memory as Partial<ReplayMemory> | undefined)?.release !== "function") {
      throw wrongType(
        `${allocatorName(this.#allocator)}: allocate(${bytes}) must return memory with a release method, received ${describe(memory)}`,
      );
    }
    return memory;
  }

  #release(slot: number): void {
    const memory = this.#slots[slot] as ReplayMemory | null;
    if (memory === null) return;
    this.#slots[slot] = null;
    this.#liveBytes -= this.#bytesOf[slot] as number;
    this.#liveCount--;
    memory.release();
  }
}
