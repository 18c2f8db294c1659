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

/** Readers of one memory. They can be collected after the job that added them. Some may have been enqueued. */
export class Readers {
  /** Those that were added in the current job. */
  #recent: Reader[] = [];
  #earlier: WeakRef<Reader>[] = [];
  #sweepRecentAt = 16;
  #sweepEarlierAt = 16;

  add(reader: Reader): void {
    const recent = this.#recent;
    if (recent.push(reader) === 1) weakenLater(this);
    if (recent.length < this.#sweepRecentAt) return;
    this.#recent = recent.filter(isPending);
    this.#sweepRecentAt = Math.max(16, 2 * this.#recent.length);
  }

  /** Makes the references to recent readers weak. */
  weaken(): void {
    for (const reader of this.#recent) if (isPending(reader)) this.#earlier.push(new WeakRef(reader));
    this.#recent = [];
    this.#sweepRecentAt = 16;
    if (this.#earlier.length < this.#sweepEarlierAt) return;
    this.#earlier = this.#earlier.filter((one) => one.deref()?.pending !== undefined);
    this.#sweepEarlierAt = Math.max(16, 2 * this.#earlier.length);
  }

  /** Enqueues all. Returns those that are still pending: launches were left out, or they wait for other kernels. */
  compute(): Reader[] {
    const all = this.#earlier.map((one) => one.deref()).filter((one) => one !== undefined);
    all.push(...this.#recent);
    for (const reader of all) reader.compute();
    return all.filter(isPending);
  }
}

function isPending({ pending }: Reader): boolean {
  return pending !== undefined;
}

let withRecentReaders: Readers[] = [];

/**
 * Makes the references to recent readers weak at the end of the job. Weak references keep objects alive until then in any case,
 * and creating them takes longer than recording an operation (0.8 of 1.3 µs); most values are computed or released earlier.
 */
function weakenLater(readers: Readers): void {
  if (withRecentReaders.push(readers) === 1) queueMicrotask(weakenAll);
}

function weakenAll(): void {
  const all = withRecentReaders;
  withRecentReaders = [];
  for (const readers of all) readers.weaken();
}

beforeReclaiming(weakenAll);
