/** Summarizes traces. */
import { inOrder } from "./lanes.js";
import type { Trace } from "./trace.js";

export interface TraceSummary {
  /** Time from the first start of a command to the last end. */
  readonly span: number;
  /** Time during which at least one command ran. */
  readonly busy: number;
  readonly failed: number;
  /** Total number of bytes moved, as far as known. */
  readonly bytes: number;
  /** Gigabytes per second of commands with known bytes. */
  readonly gbPerSecond: number;
}

export function summaryOf({ commands }: Trace): TraceSummary {
  const started = Float64Array.from(commands, (command) => command.started);
  const ended = Float64Array.from(commands, (command) => command.ended);
  let busy = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const index of inOrder(started, ended, 1)) {
    const to = ended[index] as number;
    if (to <= end) continue;
    busy += to - Math.max(end, started[index] as number);
    end = to;
  }
  const first = started.reduce((min, time) => Math.min(min, time), Number.POSITIVE_INFINITY);
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
