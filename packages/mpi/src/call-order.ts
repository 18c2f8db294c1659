/**
 * The order of calls. MPI matches operations in the order in which they start, but some calls start them later: those that read a
 * device array first, or that exchange lengths before elements.
 */
import { wrongState } from "@cl/base";

/** Starts operations in the order of the calls. */
export class CallOrder {
  #isHeld = false;
  /** Start the calls that wait. */
  readonly #waiting: (() => void)[] = [];

  /** Runs a function after those that hold up later calls: usually immediately. */
  after<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isIdle) return run();
    return new Promise<T>((resolve, reject) => {
      // Async, so that what the function throws rejects the promise.
      this.#waiting.push(() => void (async () => run())().then(resolve, reject));
    });
  }

  /** Like {@link after}, and holds up later calls until the function's promise has settled. */
  hold<T>(run: () => Promise<T>): Promise<T> {
    return this.after(async () => {
      this.#isHeld = true;
      try {
        return await run();
      } finally {
        this.#isHeld = false;
        // Before the caller continues, whose next calls come later.
        while (!this.#isHeld && this.#waiting.length > 0) this.#waiting.shift()?.();
      }
    });
  }

  /** Reads something, which holds up later calls, and then runs a function, which does not. */
  async afterReading<R, T>(read: () => Promise<R>, run: (value: R) => Promise<T>): Promise<T> {
    const { running } = await this.hold(async () => ({ running: run(await read()) }));
    return running;
  }

  /** Throws if a blocking call would overtake an earlier one. */
  checkIdle(name: string): void {
    if (!this.#isIdle) throw wrongState(`${name} must not overtake an earlier operation: await that first`);
  }

  get #isIdle(): boolean {
    return !this.#isHeld && this.#waiting.length === 0;
  }
}
