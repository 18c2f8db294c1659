/**
 * A run of steps. The host launches ahead of the device by at most `depth` commands: every few launches have an event, and when
 * the limit is reached, the oldest event is awaited. The event loop also runs every few milliseconds.
 *
 * Launchers with host steps, which may fail, have an event for each launch, so that errors can name the step.
 */
import { typeError } from "@cl/base";

import { Flights } from "./flights.js";
import type { HostStepInfo } from "./host-steps.js";
import { listen, suspendProcess } from "./process-signals.js";
import { ProgressBar } from "./progress-bar.js";
import { onControlChange } from "./control-listeners.js";
import type { CheckedRunOptions, RunResult } from "./run-options.js";
import { StepError } from "./step-error.js";
import { Stopwatch } from "./stopwatch.js";
import { survey } from "./survey.js";

/** Maximum number of steps in flight, and number of steps per event. */
interface Pace {
  readonly ahead: number;
  readonly stride: number;
}

/** Used for the first launch, before the number of commands is known. */
const unknownPace: Pace = { ahead: 1, stride: 1 };
/** Maximum time without running the event loop. */
const maxBlockingMilliseconds = 10;
/** Interval of a timer that keeps the process alive. */
const longInterval = 2 ** 31 - 1;

/** One run from start to end. */
export class StepRun {
  readonly #options: CheckedRunOptions;
  readonly #stopwatch: Stopwatch;
  readonly #bar: ProgressBar | undefined;
  readonly #flights: Flights;
  readonly #abort = new AbortController();
  readonly #cleanups: (() => void)[] = [];
  #launched: number;
  #pace = unknownPace;
  #lastYield: number;
  #stopped: RunResult["stopped"] | undefined;
  #paused = false;
  #suspended = false;
  #wake: (() => void) | undefined;

  constructor(options: CheckedRunOptions) {
    const { launcher, now, progress, firstStep, to } = options;
    this.#options = options;
    this.#stopwatch = new Stopwatch(now);
    this.#flights = new Flights(firstStep);
    this.#launched = firstStep;
    this.#lastYield = now();
    if (progress !== undefined) {
      const total = to === Infinity ? {} : { total: to };
      this.#bar = new ProgressBar({ label: launcher.name, now, ...total, ...progress, initial: firstStep });
    }
  }

  /** Number of steps that have ended. */
  get step(): number {
    return this.#flights.ended;
  }

  /** Duration without pauses. */
  get seconds(): number {
    return this.#stopwatch.seconds;
  }

  /** Whether steps remain to be launched. */
  get running(): boolean {
    return this.#stopped === undefined;
  }

  /** Returns the argument of host steps. */
  info(): HostStepInfo {
    const { step, seconds } = this;
    return { step, seconds, queue: this.#options.queue, signal: this.#abort.signal, stop: () => this.stop("until") };
  }

  /** Ends the run. */
  stop(result: RunResult["stopped"], reason?: unknown): void {
    this.#stopped ??= result;
    if (result === "aborted") this.#abort.abort(reason);
    this.#wake?.();
  }

  /** Starts the time and listens to signals. */
  begin(): void {
    const { signal, control, signals, firstStep, to } = this.#options;
    this.#stopwatch.start();
    if (to === firstStep) this.stop("done");
    for (const abortSignal of [signal, control?.signal]) if (abortSignal !== undefined) this.#abortWith(abortSignal);
    if (control !== undefined) this.#cleanups.push(onControlChange(control, () => this.#wake?.()));
    const stopListening = listen(signals, {
      stop: (name) => this.stop("aborted", name),
      pause: () => {
        this.#paused = !this.#paused;
        this.#wake?.();
      },
      suspend: () => {
        this.#suspended = true;
        this.#wake?.();
      },
    });
    this.#cleanups.push(stopListening);
    this.#bar?.update(firstStep);
  }

  #abortWith(signal: AbortSignal): void {
    const abort = (): void => this.stop("aborted", signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    this.#cleanups.push(() => signal.removeEventListener("abort", abort));
  }

  /** Launches steps up to `to`, until `deadline` in seconds or until stopped. Resolves when all launched steps have ended. */
  async advance(to: number, deadline: number): Promise<void> {
    const last = Math.min(to, this.#options.to);
    // The list may have changed since.
    this.#pace = unknownPace;
    try {
      while (this.#hasMore(last, deadline)) {
        if (this.#interrupted) await this.#waitWhilePaused();
        else if (this.#launched - this.#flights.ended >= this.#pace.ahead) await this.#settleOne();
        else if (this.#options.now() - this.#lastYield >= maxBlockingMilliseconds) await this.#yieldToEventLoop();
        else this.#launchOne(last);
      }
    } catch (error) {
      // If the launch failed, an earlier step may be the cause.
      if (!(error instanceof StepError && error.step < this.#launched)) await this.#settle();
      throw error;
    }
    await this.#settle();
    if (this.#launched >= this.#options.to) this.stop("done");
  }

  #hasMore(last: number, deadline: number): boolean {
    return this.running && this.#launched < last && (deadline === Infinity || this.seconds < deadline);
  }

  #launchOne(last: number): void {
    const { until, parameters, queue, launcher, launch, enqueue } = this.#options;
    const step = this.#launched;
    try {
      if (until !== undefined && checkedAnswer(until(step))) {
        this.stop("until");
        return;
      }
      const values = parameters(step);
      const next = step + 1;
      if (next < last && next - this.#flights.watched < this.#pace.stride) {
        launch(queue, values);
        this.#launched = next;
      } else {
        const event = enqueue(queue, values);
        this.#launched = next;
        this.#flights.add(next, event);
        queue.flush();
      }
      if (this.#pace === unknownPace) this.#pace = paceOf(survey(launcher), this.#options.depth);
    } catch (error) {
      throw new StepError(step, step, error);
    }
  }

  async #settleOne(): Promise<void> {
    await this.#flights.settleOne();
    this.#lastYield = this.#options.now();
    this.#bar?.update(this.step);
  }

  async #settle(): Promise<void> {
    if (this.step < this.#launched) await this.#flights.settle(this.#launched, () => this.#options.queue.finish());
    this.#lastYield = this.#options.now();
    this.#bar?.update(this.step);
  }

  #yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#lastYield = this.#options.now();
        resolve();
      });
    });
  }

  get #interrupted(): boolean {
    return this.#suspended || this.#paused || this.#options.control?.paused === true;
  }

  /** Waits for the queue to be idle and for the end of the pause. */
  async #waitWhilePaused(): Promise<void> {
    await this.#settle();
    this.#stopwatch.stop();
    if (this.#suspended) {
      this.#suspended = false;
      this.#bar?.hide();
      suspendProcess();
    }
    if (this.#interrupted && this.running) {
      this.#bar?.pause();
      await this.#sleep();
    }
    this.#stopwatch.start();
    this.#bar?.resume();
  }

  /** Waits until woken, and keeps the process alive meanwhile. */
  async #sleep(): Promise<void> {
    const alive = setInterval(() => undefined, longInterval);
    try {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    } finally {
      clearInterval(alive);
      this.#wake = undefined;
    }
  }

  /** Hides the progress, since the caller may print. */
  hideProgress(): void {
    this.#bar?.hide();
  }

  /** Calls a user function, which may print. */
  async callUser(call: () => unknown): Promise<void> {
    this.hideProgress();
    await call();
    this.#lastYield = this.#options.now();
    this.#bar?.update(this.step);
  }

  /** Waits for the queue and cleans up. With `failed`, another error is already being thrown. */
  async end(failed: boolean): Promise<RunResult> {
    try {
      await this.#options.queue.finish();
    } catch (error) {
      if (!failed) throw new StepError(this.step, this.step, error);
    } finally {
      this.#stopwatch.stop();
      this.#flights.releaseAll();
      for (const cleanup of this.#cleanups) cleanup();
      this.#bar?.end();
    }
    const { seconds } = this;
    const steps = this.step - this.#options.firstStep;
    const rate = steps === 0 ? 0 : steps / seconds;
    const stopped = this.#stopped ?? "until";
    const { aborted } = this.#abort.signal;
    const reason: unknown = this.#abort.signal.reason;
    return {
      steps,
      seconds,
      rate,
      stopped,
      ...(aborted && stopped === "aborted" ? { reason } : {}),
    };
  }
}

function paceOf({ commands, mayFail }: ReturnType<typeof survey>, depth: number): Pace {
  const ahead = Math.max(1, Math.floor(depth / Math.max(1, commands)));
  // Four events in flight are enough to keep the device busy.
  return { ahead, stride: mayFail ? 1 : Math.max(1, Math.floor(ahead / 4)) };
}

function checkedAnswer(value: unknown): boolean {
  if (typeof value !== "boolean") throw typeError("the result of options.until", "true or false", value);
  return value;
}
