/** Measures time without pauses. */
export class Stopwatch {
  readonly #now: () => number;
  #since: number | undefined;
  #before = 0;

  /** @param now - clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Elapsed seconds. */
  get seconds(): number {
    return (this.#before + (this.#since === undefined ? 0 : this.#now() - this.#since)) / 1000;
  }

  /** Starts or continues. */
  start(): void {
    this.#since ??= this.#now();
  }

  /** Pauses. */
  stop(): void {
    if (this.#since === undefined) return;
    this.#before += this.#now() - this.#since;
    this.#since = undefined;
  }
}
