/** Computations that read memory later. */
import { beforeReclaiming } from "@cl/core";

/** A computation that reads memory later, and must do so before the memory is changed. */
export interface Reader {
  /** Undefined if it has been enqueued. */
  readonly pending: unknown;
  /** Whether it prevents changes of the memory for some time after it has been enqueued. */
  readonly isAwaited?: boolean;
  /** Enqueues it. */
  compute(): void;
}

const none: never[] = [];

/** Readers of one memory. They can be collected after the job that added them. Some may have been enqueued. */
export class Readers {
  /** The first of those that were added in the current job. Most memory has no others, so they have no list. */
  #first: Reader | undefined;
  /** The others that were added in the current job. */
  #recent: Reader[] = none;
  #earlier: WeakRef<Reader>[] = none;
  #sweepRecentAt = 16;
  #sweepEarlierAt = 16;

  add(reader: Reader): void {
    if (this.#first === undefined) {
      this.#first = reader;
      weakenLater(this);
      return;
    }
    if (this.#recent === none) this.#recent = [];
    if (this.#recent.push(reader) < this.#sweepRecentAt) return;
    this.#recent = this.#recent.filter(isPending);
    this.#sweepRecentAt = Math.max(16, 2 * this.#recent.length);
  }

  /** Forgets recent readers that have been enqueued. Returns whether others remain. */
  sweep(): boolean {
    if (this.#recent.length > 0) this.#recent = this.#recent.filter(isPending);
    if (this.#first !== undefined && !isPending(this.#first)) this.#first = this.#recent.shift();
    return this.#first !== undefined;
  }

  /** Makes the references to recent readers weak. */
  weaken(): void {
    if (this.#first !== undefined) this.#weaken(this.#first);
    for (const reader of this.#recent) this.#weaken(reader);
    this.#first = undefined;
    this.#recent = none;
    this.#sweepRecentAt = 16;
    if (this.#earlier.length < this.#sweepEarlierAt) return;
    this.#earlier = this.#earlier.filter((one) => one.deref()?.pending !== undefined);
    this.#sweepEarlierAt = Math.max(16, 2 * this.#earlier.length);
  }

  #weaken(reader: Reader): void {
    if (!isPending(reader)) return;
    if (this.#earlier === none) this.#earlier = [];
    this.#earlier.push(new WeakRef(reader));
  }

  /** Enqueues all. Returns those that are still pending: launches were left out, or they wait for other kernels. */
  compute(): Reader[] {
    const all = this.#earlier.map((one) => one.deref()).filter((one) => one !== undefined);
    if (this.#first !== undefined) all.push(this.#first);
    all.push(...this.#recent);
    for (const reader of all) reader.compute();
    return all.filter(isPending);
  }
}

function isPending({ pending }: Reader): boolean {
  return pending !== undefined;
}

let withRecentReaders: Readers[] = [];
const minSweepSize = 1024;
let sweepAt = minSweepSize;

/**
 * Makes the references to recent readers weak at the end of the job. Weak references keep objects alive until then in any case,
 * and creating them takes longer than recording an operation (0.8 of 1.3 µs); most values are computed or released earlier. A job
 * may be long, so those are forgotten from time to time.
 */
function weakenLater(readers: Readers): void {
  const count = withRecentReaders.push(readers);
  if (count === 1) queueMicrotask(weakenAll);
  if (count < sweepAt) return;
  withRecentReaders = withRecentReaders.filter((one) => one.sweep());
  sweepAt = Math.max(minSweepSize, 2 * withRecentReaders.length);
}

function weakenAll(): void {
  const all = withRecentReaders;
  withRecentReaders = [];
  sweepAt = minSweepSize;
  for (const readers of all) readers.weaken();
}

beforeReclaiming(weakenAll);
