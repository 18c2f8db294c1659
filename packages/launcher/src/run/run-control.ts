/** Pauses and stops runs. */

import { callListeners } from "./control-listeners.js";

/**
 * Pauses, resumes or stops a run between two steps, for example from a user interface. An `AbortSignal` can also stop a run.
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

  /** Whether the run is paused. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Aborted by {@link stop}, for operations that should end with the run. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Stops launching steps until {@link resume}. Launched steps still end. */
  pause(): void {
    this.#set(true);
  }

  /** Continues after {@link pause}. */
  resume(): void {
    this.#set(false);
  }

  /** Ends the run after the launched steps. */
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
