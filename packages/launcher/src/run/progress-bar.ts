import { checkInteger, checkOptions } from "@cl/base";

import { LineGuard } from "./line-guard.js";
import { barLine, plainLine, type ProgressState } from "./progress-line.js";
import { checkBar, type ProgressBarOptions } from "./progress-options.js";
import { Stopwatch } from "./stopwatch.js";

/** Minimum time between redraws, in seconds. */
const drawEvery = 0.1;
/** Time constant of the average rate, in seconds. */
const rateTimeConstant = 5;

/**
 * A progress bar with count, rate, elapsed and remaining time. Other output to the terminal appears above it. If the stream is
 * not a terminal, nothing is written, or with `lineInterval` a line at intervals. For loops other than runs, which have their
 * own.
 *
 * @example
 * ```ts
 * const bar = new ProgressBar({ total: 100, label: "frames" });
 * for (let frame = 1; frame <= 100; frame++) bar.update(frame);
 * bar.end();
 * ```
 */
export class ProgressBar {
  readonly #options: Required<
    Pick<ProgressBarOptions, "label" | "unit" | "stream" | "otherStreams" | "initial" | "ascii">
  >;
  readonly #total: number | undefined;
  readonly #terminal: boolean;
  /** Minimum time between lines, in seconds. */
  readonly #interval: number;
  readonly #watch: Stopwatch;
  #guard: LineGuard | undefined;
  #done: number;
  #rate: number | undefined;
  #measured: { readonly done: number; readonly seconds: number };
  #drawn = 0;
  #visible = false;
  /** Whether it is hidden for other output. */
  #hidden = false;
  #paused = false;
  #ended = false;

  constructor(input?: ProgressBarOptions) {
    const options = checkOptions(input, [
      "total",
      "initial",
      "now",
      "label",
      "unit",
      "stream",
      "lineInterval",
      "ascii",
      "otherStreams",
    ]);
    checkBar(options, "options");
    const { label = "", unit = "steps", initial = 0, ascii = !hasUnicode(), lineInterval = Infinity } = options;
    const { stream = process.stderr, otherStreams = [process.stdout, process.stderr] } = options;
    this.#options = { label, unit, stream, otherStreams, initial, ascii };
    this.#total = options.total;
    this.#terminal = stream.isTTY === true && process.env["TERM"] !== "dumb";
    this.#interval = this.#terminal ? drawEvery : lineInterval;
    this.#watch = new Stopwatch(options.now ?? ((): number => performance.now()));
    this.#done = initial;
    this.#measured = { done: initial, seconds: 0 };
    this.#watch.start();
  }

  /** Sets the count, and redraws if enough time has passed. */
  update(done: number): void {
    this.#done = checkInteger(done, "done");
    const { seconds } = this.#watch;
    if (this.#ended || (seconds - this.#drawn < this.#interval && (this.#visible || !this.#terminal))) return;
    this.#draw();
  }

  /** Stops the time until {@link resume}. */
  pause(): void {
    if (this.#paused || this.#ended) return;
    this.#paused = true;
    this.#watch.stop();
    if (this.#terminal) this.#draw();
  }

  /** Continues after {@link pause}. */
  resume(): void {
    if (!this.#paused || this.#ended) return;
    this.#paused = false;
    this.#watch.start();
    if (this.#terminal) this.#draw();
  }

  /** Hides it until the next update. */
  hide(): void {
    if (this.#visible) this.#write("\r\u001B[K");
    this.#visible = false;
    this.#hidden = false;
  }

  /** Draws it a last time and leaves it on the terminal. */
  end(): void {
    if (this.#ended) return;
    this.#watch.stop();
    this.#paused = false;
    if (this.#interval < Infinity) this.#draw(true);
    if (this.#visible) this.#write("\n");
    this.#visible = false;
    this.#ended = true;
    this.#guard?.release();
  }

  #draw(last = false): void {
    const { seconds } = this.#watch;
    this.#drawn = seconds;
    this.#measure(seconds, last);
    const { label, unit, stream, ascii } = this.#options;
    const [done, total, rate, paused] = [this.#done, this.#total, this.#rate, this.#paused];
    const state: ProgressState = { label, unit, done, total, elapsed: seconds, rate, paused };
    if (!this.#terminal) {
      stream.write(`${plainLine(state)}\n`);
      return;
    }
    this.#guard ??= this.#createGuard();
    // Do not overwrite unfinished lines of other output.
    if (!this.#guard.atLineStart) {
      if (!last) return;
      this.#write("\n");
    }
    // Terminals that do not know their width report 0. The last column stays empty, since some terminals wrap when it is used.
    const { columns = 0 } = stream;
    this.#write(`\r${barLine(state, (columns > 0 ? columns : 80) - 1, ascii)}\u001B[K`);
    this.#visible = true;
  }

  /** Updates the rate: an exponential moving average, and in the end the overall average. */
  #measure(seconds: number, last: boolean): void {
    const since = last ? { done: this.#options.initial, seconds: 0 } : this.#measured;
    const [done, time] = [this.#done - since.done, seconds - since.seconds];
    if (time <= 0 || done <= 0) return;
    const now = done / time;
    const weight = last || this.#rate === undefined ? 1 : 1 - Math.exp(-time / rateTimeConstant);
    this.#rate = (this.#rate ?? 0) * (1 - weight) + now * weight;
    this.#measured = { done: this.#done, seconds };
  }

  #createGuard(): LineGuard {
    const { stream, otherStreams } = this.#options;
    const terminals = otherStreams.filter(({ isTTY }) => isTTY === true);
    const hide = (): void => {
      this.#hidden ||= this.#visible;
      if (this.#visible) this.#write("\r\u001B[K");
      this.#visible = false;
    };
    const show = (): void => {
      if (!this.#hidden) return;
      this.#hidden = false;
      this.#draw();
    };
    return new LineGuard([stream, ...terminals], hide, show);
  }

  #write(text: string): void {
    const { stream } = this.#options;
    if (this.#guard === undefined) stream.write(text);
    else this.#guard.write(stream, text);
  }
}

/** Guesses Unicode support from the locale; on Windows, from the terminal. */
function hasUnicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM } = process.env;
  if (process.platform === "win32") return process.env["WT_SESSION"] !== undefined;
  return TERM !== "linux" && /utf-?8/i.test([LC_ALL, LC_CTYPE, LANG].find((value) => (value ?? "") !== "") ?? "");
}
