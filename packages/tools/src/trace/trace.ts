/** A sequence of requests and releases, as numbers that are replayed at the cost of reading them. */
import { rangeError } from "@cl/base";

/** Memory is asked for, and gets a place to be kept in. */
export interface TraceAllocate {
  readonly op: "allocate";
  /** The place, counted from 0, that is free then. */
  readonly slot: number;
  readonly bytes: number;
}

/** What is in a place is released. */
export interface TraceRelease {
  readonly op: "release";
  readonly slot: number;
}

/** A step of a trace. */
export type TraceStep = TraceAllocate | TraceRelease;

/**
 * Requests for memory and their releases in order. It is made by `generateTrace`, `parseTrace` or `readTrace`, and it is
 * iterable: each step names the slot that the memory is in.
 */
export class Trace implements Iterable<TraceStep> {
  /** How many requests for memory it has. */
  readonly requests: number;
  /** How many steps: requests and releases. */
  readonly steps: number;
  /** The most pieces of memory that are there at the same time. */
  readonly slots: number;
  /** The most bytes that are asked for and not released, at any time. */
  readonly peakBytes: number;
  /** @internal The slot of each step's request, or the complement of the slot that it releases. */
  readonly codes: Int32Array;
  /** @internal The bytes of each step's request; 0 for a release. */
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

/** Puts a trace together. Slots that have become free are used again, so that there are as many as memory at the peak. */
export class TraceBuilder {
  codes: Int32Array = new Int32Array(1024);
  bytes: Float64Array = new Float64Array(1024);
  steps = 0;
  requests = 0;
  slots = 0;
  peakBytes = 0;
  readonly #free: number[] = [];
  /** The bytes in each slot. */
  readonly #held: number[] = [];
  #live = 0;

  /** The slot that the memory goes to. */
  allocate(bytes: number): number {
    const slot = this.#free.pop() ?? this.slots++;
    if (slot > 0x7fff_fffe) throw rangeError("the trace", "one with less memory at the same time", slot);
    this.#add(slot, bytes);
    this.#held[slot] = bytes;
    this.requests++;
    this.#live += bytes;
    if (this.#live > this.peakBytes) this.peakBytes = this.#live;
    return slot;
  }

  release(slot: number): void {
    this.#add(~slot, 0);
    this.#live -= this.#held[slot] as number;
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
