import { abortable } from "./abortable.js";

/** A queue for work that must not overlap, such as measurements, which would distort each other. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` after all earlier work has settled. Rejects without running it if the signal aborts while it waits. */
  async run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // If this call is aborted, the next one must still wait for all earlier work.
    this.#last = Promise.all([before, ended]).then(() => undefined);
    try {
      await abortable(before, signal);
      return await work();
    } finally {
      end();
    }
  }
}
