/** How to show progress. */
import { checkBoolean, checkFunction, checkInteger, checkOptions, checkString, typeError } from "@cl/base";

/** What progress is written to: `process.stderr`, or something like it. */
export interface ProgressStream {
  write(text: string): unknown;
  /** True for a terminal, on which a line can be written over. */
  readonly isTTY?: boolean;
  /** How wide that is. */
  readonly columns?: number;
}

/** How to show progress. */
export interface ProgressOptions {
  /** What stands before it: a run's launcher's name if not said. */
  readonly label?: string;
  /** What is counted: `"steps"` if not said. */
  readonly unit?: string;
  /** Where to: stderr if not said. */
  readonly stream?: ProgressStream;
  /** If that is no terminal: a line each so many seconds, and one at the end. Without it, nothing is written there. */
  readonly plain?: number;
  /** Plain characters only; if not said, where the locale has no others. */
  readonly ascii?: boolean;
  /**
   * The streams that may write to the same terminal: stdout and stderr if not said. While the bar is shown, it makes way
   * for what is written to them.
   */
  readonly others?: readonly ProgressStream[];
}

/** A progress bar of your own. */
export interface ProgressBarOptions extends ProgressOptions {
  /** What the count goes up to, if that is known. */
  readonly total?: number;
  /** What the count begins with, 0 if not said. */
  readonly from?: number;
  /** Milliseconds that only grow: `performance.now` if not said. For tests. */
  readonly now?: () => number;
}

/** The options of a run's progress; undefined for none. */
export function checkProgress(progress: boolean | ProgressOptions | undefined): ProgressOptions | undefined {
  if (progress === undefined || progress === false) return undefined;
  if (progress === true) return {};
  checkBar(progress, "options.progress");
  return progress;
}

/** Throws what is wrong with them. */
export function checkBar(options: ProgressBarOptions, words: string): void {
  const { label, unit, stream, plain, ascii, others, total, from, now } = checkOptions(
    options,
    ["total", "from", "now", "label", "unit", "stream", "plain", "ascii", "others"],
    words,
  );
  if (label !== undefined) checkString(label, `${words}.label`);
  if (unit !== undefined) checkString(unit, `${words}.unit`);
  if (stream !== undefined) checkStream(stream, `${words}.stream`);
  if (plain !== undefined && !(typeof plain === "number" && plain > 0)) {
    throw typeError(`${words}.plain`, "a number of seconds above 0", plain);
  }
  checkBoolean(ascii, `${words}.ascii`, false);
  if (others !== undefined && !Array.isArray(others)) throw typeError(`${words}.others`, "an array of streams", others);
  for (const [i, one] of (others ?? []).entries()) checkStream(one, `${words}.others[${i}]`);
  if (total !== undefined) checkInteger(total, `${words}.total`);
  if (from !== undefined) checkInteger(from, `${words}.from`);
  if (now !== undefined) checkFunction(now, `${words}.now`);
}

function checkStream(stream: unknown, name: string): void {
  const fits = typeof stream === "object" && stream !== null && typeof (stream as ProgressStream).write === "function";
  if (!fits) throw typeError(name, "a stream, with a function write", stream);
}
