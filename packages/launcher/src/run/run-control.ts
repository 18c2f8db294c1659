/** Pausing and stopping a run from outside. */

import { callListeners } from "./control-listeners.js";

/**
 * Pauses a run between two steps, lets it go on, or stops it. An `AbortSignal` stops it as well; this is for buttons and
 * the like.
 *
 * @example
 * ```ts
 * const step = new KernelLauncher("advect", advect, { args: [u, v], global: 64 });
 * const control = new RunControl();
 * const running = runSteps(step, { queue, steps: 1000, control });
 * control.pause(); // what is on the queue ends
 * control.resume();
 * console.log((await running).stopped); // done
 * ```
 */
export class RunControl {
  #paused = false;
  readonly #abort = new AbortController();

  /** True from {@link pause} to {@link resume}. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Aborted once it has been stopped, for what else should stop then. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Launches no more steps until {@link resume}; those that were launched end. */
  pause(): void {
    this.#set(true);
  }

  /** Goes on. */
  resume(): void {
    this.#set(false);
  }

  /** Stops for good: the steps that were launched end, and the run does. */
  stop(reason?: unknown): void {
    this.#abort.abort(reason);
    callListeners(this);
  }

  #set(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    callListeners(this);
  }
}
