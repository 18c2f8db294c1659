/** Time since a run began, without its pauses. */
export class Stopwatch {
  readonly #now: () => number;
  #since: number | undefined;
  #before = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** In seconds. */
  get seconds(): number {
    return (this.#before + (this.#since === undefined ? 0 : this.#now() - this.#since)) / 1000;
  }

  /** Lets it run, if it does not. */
  start(): void {
    this.#since ??= this.#now();
  }

  /** Holds it. */
  stop(): void {
    if (this.#since === undefined) return;
    this.#before += this.#now() - this.#since;
    this.#since = undefined;
  }
}
