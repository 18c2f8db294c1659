/**
 * A run of steps as it goes on. The host launches ahead of the device, but not far: every few launches have an event, and
 * when the commands since the oldest of them come to `depth`, that one is awaited. The event loop gets its turn then, and
 * otherwise every few milliseconds.
 *
 * Launchers with host steps, which may fail by themselves, have an event for each launch, so that errors can name the step.
 */
import { typeError } from "@cl/base";

import { Flights } from "./flights.js";
import type { HostStepInfo } from "./host-steps.js";
import { listen, suspendProcess } from "./process-signals.js";
import { ProgressBar } from "./progress-bar.js";
import { onControlChange } from "./control-listeners.js";
import type { Checked, RunResult } from "./run-options.js";
import { StepError } from "./step-error.js";
import { Stopwatch } from "./stopwatch.js";
import { survey } from "./survey.js";

/** How far the host may run ahead, and how often there is an event, in steps. */
interface Pace {
  readonly ahead: number;
  readonly stride: number;
}

/** For the first launch, after which more is known. */
const unknownPace: Pace = { ahead: 1, stride: 1 };
/** How long the event loop may wait for its turn. */
const turnMilliseconds = 10;
/** A timer that long keeps a process alive. */
const forever = 2 ** 31 - 1;

/** One run, from its first step to its end. */
export class StepRun {
  readonly #given: Checked;
  readonly #watch: Stopwatch;
  readonly #bar: ProgressBar | undefined;
  readonly #flights: Flights;
  readonly #abort = new AbortController();
  readonly #clean: (() => void)[] = [];
  #launched: number;
  #pace = unknownPace;
  #lastTurn: number;
  #stopped: RunResult["stopped"] | undefined;
  #paused = false;
  #suspended = false;
  #wake: (() => void) | undefined;

  constructor(given: Checked) {
    const { launcher, now, progress, from, to } = given;
    this.#given = given;
    this.#watch = new Stopwatch(now);
    this.#flights = new Flights(from);
    this.#launched = from;
    this.#lastTurn = now();
    if (progress !== undefined) {
      const total = to === Infinity ? {} : { total: to };
      this.#bar = new ProgressBar({ label: launcher.name, now, ...total, ...progress, from });
    }
  }

  /** How many steps have been made, and have ended. */
  get step(): number {
    return this.#flights.ended;
  }

  /** How long it has lasted, without pauses. */
  get seconds(): number {
    return this.#watch.seconds;
  }

  /** False once nothing more is to be launched. */
  get goesOn(): boolean {
    return this.#stopped === undefined;
  }

  /** What host steps are told. */
  info(): HostStepInfo {
    const { step, seconds } = this;
    return { step, seconds, queue: this.#given.queue, signal: this.#abort.signal, stop: () => this.stop("until") };
  }

  /** Launches no more. */
  stop(why: RunResult["stopped"], reason?: unknown): void {
    this.#stopped ??= why;
    if (why === "aborted") this.#abort.abort(reason);
    this.#wake?.();
  }

  /** Begins to count time, and to listen. */
  begin(): void {
    const { signal, control, signals, from, to } = this.#given;
    this.#watch.start();
    if (to === from) this.stop("done");
    for (const one of [signal, control?.signal]) if (one !== undefined) this.#abortWith(one);
    if (control !== undefined) this.#clean.push(onControlChange(control, () => this.#wake?.()));
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
    this.#clean.push(stopListening);
    this.#bar?.update(from);
  }

  #abortWith(signal: AbortSignal): void {
    const abort = (): void => this.stop("aborted", signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    this.#clean.push(() => signal.removeEventListener("abort", abort));
  }

  /** Launches up to a step, or until that second has passed or something stops it; then all that was launched has ended. */
  async advance(to: number, deadline: number): Promise<void> {
    const last = Math.min(to, this.#given.to);
    // What was pushed in the meantime counts.
    this.#pace = unknownPace;
    try {
      while (this.#hasMore(last, deadline)) {
        if (this.#interrupted) await this.#rest();
        else if (this.#launched - this.#flights.ended >= this.#pace.ahead) await this.#settleOne();
        else if (this.#given.now() - this.#lastTurn >= turnMilliseconds) await this.#turn();
        else this.#launchOne(last);
      }
    } catch (error) {
      // If it could not be launched, one before it may be the cause.
      if (!(error instanceof StepError && error.step < this.#launched)) await this.#settle();
      throw error;
    }
    await this.#settle();
    if (this.#launched >= this.#given.to) this.stop("done");
  }

  #hasMore(last: number, deadline: number): boolean {
    return this.goesOn && this.#launched < last && (deadline === Infinity || this.seconds < deadline);
  }

  #launchOne(last: number): void {
    const { until, parameters, queue, launcher, launch, enqueue } = this.#given;
    const step = this.#launched;
    try {
      if (until !== undefined && answer(until(step))) {
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
      if (this.#pace === unknownPace) this.#pace = paceOf(survey(launcher), this.#given.depth);
    } catch (error) {
      throw new StepError(step, step, error);
    }
  }

  async #settleOne(): Promise<void> {
    await this.#flights.settleOne();
    this.#lastTurn = this.#given.now();
    this.#bar?.update(this.step);
  }

  async #settle(): Promise<void> {
    if (this.step < this.#launched) await this.#flights.settle(this.#launched, () => this.#given.queue.finish());
    this.#lastTurn = this.#given.now();
    this.#bar?.update(this.step);
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#lastTurn = this.#given.now();
        resolve();
      });
    });
  }

  get #interrupted(): boolean {
    return this.#suspended || this.#paused || this.#given.control?.paused === true;
  }

  /** With nothing on the queue, until it may go on. */
  async #rest(): Promise<void> {
    await this.#settle();
    this.#watch.stop();
    if (this.#suspended) {
      this.#suspended = false;
      this.#bar?.hide();
      suspendProcess();
    }
    if (this.#interrupted && this.goesOn) {
      this.#bar?.pause();
      await this.#awakened();
    }
    this.#watch.start();
    this.#bar?.resume();
  }

  /** The process must not end for want of anything to do. */
  async #awakened(): Promise<void> {
    const alive = setInterval(() => undefined, forever);
    try {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    } finally {
      clearInterval(alive);
      this.#wake = undefined;
    }
  }

  /** Takes the progress off the terminal, for what may be printed there. */
  quiet(): void {
    this.#bar?.hide();
  }

  /** Calls a function of the user's, which may print. */
  async outside(call: () => unknown): Promise<void> {
    this.quiet();
    await call();
    this.#lastTurn = this.#given.now();
    this.#bar?.update(this.step);
  }

  /** Ends it: nothing is on the queue any more, and nobody listens. `failed` says that an error is on its way. */
  async end(failed: boolean): Promise<RunResult> {
    try {
      await this.#given.queue.finish();
    } catch (error) {
      if (!failed) throw new StepError(this.step, this.step, error);
    } finally {
      this.#watch.stop();
      this.#flights.drop();
      for (const clean of this.#clean) clean();
      this.#bar?.end();
    }
    const { seconds } = this;
    const steps = this.step - this.#given.from;
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
  // Four events are on the way when the oldest is awaited: enough for the device never to run dry.
  return { ahead, stride: mayFail ? 1 : Math.max(1, Math.floor(ahead / 4)) };
}

function answer(value: unknown): boolean {
  if (typeof value !== "boolean") throw typeError("what options.until returns", "true or false", value);
  return value;
}
