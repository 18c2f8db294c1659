import { abortable } from "./abortable.js";

/** A line for work that must not run at the same time: two measurements at once would measure each other. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` when what came before has ended, however that ended. Who no longer wants it leaves the line. */
  async take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // One who leaves early must not let the next one in before those ahead are done.
    this.#last = Promise.all([before, ended]).then(() => undefined);
    try {
      await abortable(before, signal);
      return await work();
    } finally {
      end();
    }
  }
}
