import { checkInteger, checkOptions } from "@cl/base";

import { LineGuard } from "./line-guard.js";
import { barLine, plainLine, type ProgressState } from "./progress-line.js";
import { checkBar, type ProgressBarOptions } from "./progress-options.js";
import { Stopwatch } from "./stopwatch.js";

/** Not drawn more often, in seconds. */
const drawEvery = 0.1;
/** Over about so many seconds the rate is averaged. */
const memory = 5;

/**
 * A bar with count, rate, elapsed time and time to go, on a terminal; elsewhere nothing, or with `plain` a line now and
 * then. What else the program writes to the terminal stands above it. Runs have one of their own; this is for other loops.
 *
 * @example
 * ```ts
 * const bar = new ProgressBar({ total: 100, label: "frames" });
 * for (let frame = 1; frame <= 100; frame++) bar.update(frame);
 * bar.end();
 * ```
 */
export class ProgressBar {
  readonly #given: Required<Pick<ProgressBarOptions, "label" | "unit" | "stream" | "others" | "from" | "ascii">>;
  readonly #total: number | undefined;
  readonly #terminal: boolean;
  /** Seconds from line to line. */
  readonly #interval: number;
  readonly #watch: Stopwatch;
  #guard: LineGuard | undefined;
  #done: number;
  #rate: number | undefined;
  #measured: { readonly done: number; readonly seconds: number };
  #drawn = 0;
  #shown = false;
  /** True while it makes way for somebody else's line. */
  #aside = false;
  #paused = false;
  #ended = false;

  constructor(options?: ProgressBarOptions) {
    const given = checkOptions(options, [
      "total",
      "from",
      "now",
      "label",
      "unit",
      "stream",
      "plain",
      "ascii",
      "others",
    ]);
    checkBar(given, "options");
    const { label = "", unit = "steps", from = 0, ascii = !hasUnicode(), plain = Infinity } = given;
    const { stream = process.stderr, others = [process.stdout, process.stderr] } = given;
    this.#given = { label, unit, stream, others, from, ascii };
    this.#total = given.total;
    this.#terminal = stream.isTTY === true && process.env["TERM"] !== "dumb";
    this.#interval = this.#terminal ? drawEvery : plain;
    this.#watch = new Stopwatch(given.now ?? ((): number => performance.now()));
    this.#done = from;
    this.#measured = { done: from, seconds: 0 };
    this.#watch.start();
  }

  /** So much is done; draws if it is time to. */
  update(done: number): void {
    this.#done = checkInteger(done, "done");
    const { seconds } = this.#watch;
    if (this.#ended || (seconds - this.#drawn < this.#interval && (this.#shown || !this.#terminal))) return;
    this.#draw();
  }

  /** Time stands still until {@link resume}. */
  pause(): void {
    if (this.#paused || this.#ended) return;
    this.#paused = true;
    this.#watch.stop();
    if (this.#terminal) this.#draw();
  }

  /** Goes on. */
  resume(): void {
    if (!this.#paused || this.#ended) return;
    this.#paused = false;
    this.#watch.start();
    if (this.#terminal) this.#draw();
  }

  /** Takes it off the terminal until the next update. */
  hide(): void {
    if (this.#shown) this.#write("\r\u001B[K");
    this.#shown = false;
    this.#aside = false;
  }

  /** Draws it for the last time, and leaves it there. */
  end(): void {
    if (this.#ended) return;
    this.#watch.stop();
    this.#paused = false;
    if (this.#interval < Infinity) this.#draw(true);
    if (this.#shown) this.#write("\n");
    this.#shown = false;
    this.#ended = true;
    this.#guard?.release();
  }

  #draw(last = false): void {
    const { seconds } = this.#watch;
    this.#drawn = seconds;
    this.#measure(seconds, last);
    const { label, unit, stream, ascii } = this.#given;
    const [done, total, rate, paused] = [this.#done, this.#total, this.#rate, this.#paused];
    const state: ProgressState = { label, unit, done, total, elapsed: seconds, rate, paused };
    if (!this.#terminal) {
      stream.write(`${plainLine(state)}\n`);
      return;
    }
    this.#guard ??= this.#stand();
    // Somebody else's line is not written over.
    if (!this.#guard.atLineStart) {
      if (!last) return;
      this.#write("\n");
    }
    // Terminals that do not know their width say 0. And they may go to the next line once the last column is full.
    const { columns = 0 } = stream;
    this.#write(`\r${barLine(state, (columns > 0 ? columns : 80) - 1, ascii)}\u001B[K`);
    this.#shown = true;
  }

  /** The rate of the last seconds, the newer ones counting for more; in the end that of all of them. */
  #measure(seconds: number, last: boolean): void {
    const since = last ? { done: this.#given.from, seconds: 0 } : this.#measured;
    const [done, time] = [this.#done - since.done, seconds - since.seconds];
    if (time <= 0 || done <= 0) return;
    const now = done / time;
    const weight = last || this.#rate === undefined ? 1 : 1 - Math.exp(-time / memory);
    this.#rate = (this.#rate ?? 0) * (1 - weight) + now * weight;
    this.#measured = { done: this.#done, seconds };
  }

  #stand(): LineGuard {
    const { stream, others } = this.#given;
    const terminals = others.filter(({ isTTY }) => isTTY === true);
    const hide = (): void => {
      this.#aside ||= this.#shown;
      if (this.#shown) this.#write("\r\u001B[K");
      this.#shown = false;
    };
    const show = (): void => {
      if (!this.#aside) return;
      this.#aside = false;
      this.#draw();
    };
    return new LineGuard([stream, ...terminals], hide, show);
  }

  #write(text: string): void {
    const { stream } = this.#given;
    if (this.#guard === undefined) stream.write(text);
    else this.#guard.write(stream, text);
  }
}

/** As programs guess it: by the locale, and everywhere but on old consoles of Windows. */
function hasUnicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM } = process.env;
  if (process.platform === "win32") return process.env["WT_SESSION"] !== undefined;
  return TERM !== "linux" && /utf-?8/i.test([LC_ALL, LC_CTYPE, LANG].find((value) => (value ?? "") !== "") ?? "");
}
