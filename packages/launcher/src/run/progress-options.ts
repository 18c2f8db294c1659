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
  readonly lineInterval?: number;
  /** Whether to use only ASCII characters. @defaultValue whether the locale lacks Unicode */
  readonly ascii?: boolean;
  /**
   * Streams that may write to the same terminal. The bar is hidden while they are written to.
   * @defaultValue stdout and stderr
   */
  readonly otherStreams?: readonly ProgressStream[];
}

/** Options of a standalone progress bar. */
export interface ProgressBarOptions extends ProgressOptions {
  /** Total count, if known. */
  readonly total?: number;
  /** Initial count. @defaultValue 0 */
  readonly initial?: number;
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

export function checkBar(options: ProgressBarOptions, name: string): void {
  const { label, unit, stream, lineInterval, ascii, otherStreams, total, initial, now } = checkOptions(
    options,
    ["total", "initial", "now", "label", "unit", "stream", "lineInterval", "ascii", "otherStreams"],
    name,
  );
  if (label !== undefined) checkString(label, `${name}.label`);
  if (unit !== undefined) checkString(unit, `${name}.unit`);
  if (stream !== undefined) checkStream(stream, `${name}.stream`);
  if (lineInterval !== undefined && !(typeof lineInterval === "number" && lineInterval > 0)) {
    throw typeError(`${name}.lineInterval`, "a number of seconds above 0", lineInterval);
  }
  checkBoolean(ascii, `${name}.ascii`, false);
  if (otherStreams !== undefined && !Array.isArray(otherStreams)) {
    throw typeError(`${name}.otherStreams`, "an array of streams", otherStreams);
  }
  for (const [i, other] of (otherStreams ?? []).entries()) checkStream(other, `${name}.otherStreams[${i}]`);
  if (total !== undefined) checkInteger(total, `${name}.total`);
  if (initial !== undefined) checkInteger(initial, `${name}.initial`);
  if (now !== undefined) checkFunction(now, `${name}.now`);
}

function checkStream(stream: unknown, name: string): void {
  const valid = typeof stream === "object" && stream !== null && typeof (stream as ProgressStream).write === "function";
  if (!valid) throw typeError(name, "a stream with a write function", stream);
}
