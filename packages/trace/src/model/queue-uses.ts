/** How much of a trace's time each of its queues is busy. */
import { checkTrace } from "./check-trace.js";
import { occupancy } from "./occupancy.js";
import type { Trace, TraceQueue } from "./trace.js";
import { summaryOf } from "./trace-summary.js";

/** Utilization of a queue. Times are in nanoseconds. */
export interface QueueUse {
  readonly queue: TraceQueue;
  /** Number of its commands. */
  readonly commands: number;
  /** Time during which at least one command of the queue ran. */
  readonly busy: number;
  /** The rest of the trace's span. */
  readonly idle: number;
  /** `busy` as a fraction of the span; NaN if the span is 0. */
  readonly share: number;
  /** The longest time between two commands in which none ran. */
  readonly longestGap: number;
}

/**
 * Returns the utilization of each queue, in the trace's order. Overlapping commands count once.
 *
 * @example
 * ```ts
 * const command = { name: "advect", kind: "kernel", queue: 0, queued: 0, submitted: 0 } as const;
 * const uses = queueUses({
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, hostSpans: [], memory: [], dropped: 0,
 *   queues: [{ id: 0, label: "main", device: "cpu", outOfOrder: false }],
 *   commands: [{ ...command, started: 0, ended: 300 }, { ...command, started: 900, ended: 1000 }],
 * });
 * console.log(uses[0]?.share, uses[0]?.longestGap); // 0.4 600
 * ```
 */
export function queueUses(trace: Trace): QueueUse[] {
  const { queues, commands } = checkTrace(trace);
  const { span } = summaryOf(trace);
  return queues.map((queue) => {
    const own = commands.filter((command) => command.queue === queue.id);
    const { busy, longestGap } = occupancy(
      own.map(({ started }) => started),
      own.map(({ ended }) => ended),
    );
    return { queue, commands: own.length, busy, idle: span - busy, share: busy / span, longestGap };
  });
}
