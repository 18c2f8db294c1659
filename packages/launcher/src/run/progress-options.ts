/** Options for showing progress. */
import { checkBoolean, checkFunction, checkInteger, checkOptions, checkString, typeError } from "@cl/base";

/** Stream for progress: `process.stderr` or a compatible object. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Whether it is a terminal, on which a line can be overwritten. */
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
}

/** Options for showing progress. */
export interface ProgressOptions {
  /** Text before the bar. @defaultValue the name of the run's launcher */
  readonly label?: string;
  /** Unit of the count. @defaultValue "steps" */
  readonly unit?: string;
  /** Stream to write to. @defaultValue `process.stderr` */
  readonly stream?: ProgressStream;
  /** Seconds between lines if the stream is not a terminal. Without it, nothing is written there. */
  readonly plain?: number;
  /** Whether to use only ASCII characters. @defaultValue whether the locale lacks Unicode */
  readonly ascii?: boolean;
  /**
   * Streams that may write to the same terminal. The bar is hidden while they are written to.
   * @defaultValue stdout and stderr
   */
  readonly others?: readonly ProgressStream[];
}

/** Options of a standalone progress bar. */
export interface ProgressBarOptions extends ProgressOptions {
  /** Total count, if known. */
  readonly total?: number;
  /** Initial count. @defaultValue 0 */
  readonly from?: number;
  /** Monotonic clock in milliseconds, for tests. @defaultValue `performance.now` */
  readonly now?: () => number;
}

/** Checks the options of a run's progress; `undefined` for none. */
export function checkProgress(progress: boolean | ProgressOptions | undefined): ProgressOptions | undefined {
  if (progress === undefined || progress === false) return undefined;
  if (progress === true) return {};
  checkBar(progress, "options.progress");
  return progress;
}

/** Checks the options of a bar. */
export function checkBar(options: ProgressBarOptions, name: string): void {
  const { label, unit, stream, plain, ascii, others, total, from, now } = checkOptions(
    options,
    ["total", "from", "now", "label", "unit", "stream", "plain", "ascii", "others"],
    name,
  );
  if (label !== undefined) checkString(label, `${name}.label`);
  if (unit !== undefined) checkString(unit, `${name}.unit`);
  if (stream !== undefined) checkStream(stream, `${name}.stream`);
  if (plain !== undefined && !(typeof plain === "number" && plain > 0)) {
    throw typeError(`${name}.plain`, "a number of seconds above 0", plain);
  }
  checkBoolean(ascii, `${name}.ascii`, false);
  if (others !== undefined && !Array.isArray(others)) throw typeError(`${name}.others`, "an array of streams", others);
  for (const [i, other] of (others ?? []).entries()) checkStream(other, `${name}.others[${i}]`);
  if (total !== undefined) checkInteger(total, `${name}.total`);
  if (from !== undefined) checkInteger(from, `${name}.from`);
  if (now !== undefined) checkFunction(now, `${name}.now`);
}

function checkStream(stream: unknown, name: string): void {
  const valid = typeof stream === "object" && stream !== null && typeof (stream as ProgressStream).write === "function";
  if (!valid) throw typeError(name, "a stream with a write function", stream);
}
