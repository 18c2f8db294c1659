/** Sequences of requests and releases, stored in typed arrays for fast replay. */
import { rangeError } from "@cl/base";

/** An allocation, stored in a slot. */
export interface TraceAllocate {
  readonly op: "allocate";
  /** Index of a free slot. */
  readonly slot: number;
  readonly bytes: number;
}

/** The release of the allocation in a slot. */
export interface TraceRelease {
  readonly op: "release";
  readonly slot: number;
}

/** A step of a trace. */
export type TraceStep = TraceAllocate | TraceRelease;

/**
 * A sequence of allocation requests and releases. Created by `generateTrace`, `parseTrace` or `readTrace`. Iterating
 * yields the steps; each names the slot of its allocation.
 */
export class Trace implements Iterable<TraceStep> {
  /** Number of allocation requests. */
  readonly requests: number;
  /** Number of steps: requests and releases. */
  readonly steps: number;
  /** Peak number of live allocations. */
  readonly slots: number;
  /** Peak number of requested bytes that are live at the same time. */
  readonly peakBytes: number;
  /** @internal The slot of each request, or the bitwise complement of the slot of each release. */
  readonly codes: Int32Array;
  /** @internal The bytes of each request; 0 for a release. */
  readonly bytes: Float64Array;

  /** @internal */
  constructor(builder: TraceBuilder) {
    const { codes, bytes, steps, requests, slots, peakBytes } = builder;
    this.codes = codes.slice(0, steps);
    this.bytes = bytes.slice(0, steps);
    this.steps = steps;
    this.requests = requests;
    this.slots = slots;
    this.peakBytes = peakBytes;
  }

  *[Symbol.iterator](): IterableIterator<TraceStep> {
    for (const [i, code] of this.codes.entries()) {
      yield code >= 0 ? { op: "allocate", slot: code, bytes: this.bytes[i] as number } : { op: "release", slot: ~code };
    }
  }
}

/** A builder of traces. Free slots are reused, so there are as many slots as live allocations at the peak. */
export class TraceBuilder {
  codes: Int32Array = new Int32Array(1024);
  bytes: Float64Array = new Float64Array(1024);
  steps = 0;
  requests = 0;
  slots = 0;
  peakBytes = 0;
  readonly #free: number[] = [];
  readonly #bytesOf: number[] = [];
  #liveBytes = 0;

  /** Adds a request and returns its slot. */
  allocate(bytes: number): number {
    const slot = this.#free.pop() ?? this.slots++;
    if (slot > 0x7fff_fffe) throw rangeError("the number of live allocations", "less than 2^31 - 1", slot);
    this.#add(slot, bytes);
    this.#bytesOf[slot] = bytes;
    this.requests++;
    this.#liveBytes += bytes;
    if (this.#liveBytes > this.peakBytes) this.peakBytes = this.#liveBytes;
    return slot;
  }

  /** Adds the release of a slot. */
  release(slot: number): void {
    this.#add(~slot, 0);
    this.#liveBytes -= this.#bytesOf[slot] as number;
    this.#free.push(slot);
  }

  #add(code: number, bytes: number): void {
    if (this.steps === this.codes.length) this.#grow();
    this.codes[this.steps] = code;
    this.bytes[this.steps] = bytes;
    this.steps++;
  }

  #grow(): void {
    const { codes, bytes } = this;
    this.codes = new Int32Array(2 * codes.length);
    this.codes.set(codes);
    this.bytes = new Float64Array(2 * bytes.length);
    this.bytes.set(bytes);
  }
}
