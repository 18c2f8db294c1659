/** A trace in a few numbers. */
import { inOrder } from "./lanes.js";
import type { Trace } from "./trace.js";

/** The numbers. */
export interface TraceSummary {
  /** From the first beginning of a command to the last end. */
  readonly span: number;
  /** How long at least one command ran. */
  readonly busy: number;
  readonly failed: number;
  /** What all commands together moved, as far as it is known. */
  readonly bytes: number;
  /** Billions of bytes a second in those commands. */
  readonly gbPerSecond: number;
}

/** Sums a trace up. */
export function summaryOf({ commands }: Trace): TraceSummary {
  const started = Float64Array.from(commands, (command) => command.started);
  const ended = Float64Array.from(commands, (command) => command.ended);
  let busy = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const place of inOrder(started, ended, 1)) {
    const to = ended[place] as number;
    if (to <= end) continue;
    busy += to - Math.max(end, started[place] as number);
    end = to;
  }
  const first = started.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  let [bytes, moving] = [0, 0];
  for (const command of commands) {
    if (command.bytes === undefined) continue;
    bytes += command.bytes;
    moving += command.ended - command.started;
  }
  return {
    span: commands.length === 0 ? 0 : end - first,
    busy,
    failed: commands.filter(({ failed }) => failed !== undefined).length,
    bytes,
    gbPerSecond: moving > 0 ? bytes / moving : Number.NaN,
  };
}
