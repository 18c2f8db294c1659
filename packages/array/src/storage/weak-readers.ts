/** Computations that read memory later. */

/** A computation that reads memory later, and must do so before the memory is changed. */
export interface Reader {
  /** Undefined if it has been enqueued. */
  readonly pending: unknown;
  /** Enqueues it. */
  compute(): void;
}

/** Readers of one memory. They can be collected. */
export class WeakReaders {
  #all: WeakRef<Reader>[] = [];
  #sweepAt = 16;

  add(reader: Reader): void {
    this.#all.push(new WeakRef(reader));
    if (this.#all.length < this.#sweepAt) return;
    this.#all = this.#all.filter((one) => one.deref()?.pending !== undefined);
    this.#sweepAt = Math.max(16, 2 * this.#all.length);
  }

  /** Enqueues all. */
  compute(): void {
    for (const one of this.#all) one.deref()?.compute();
  }
}
