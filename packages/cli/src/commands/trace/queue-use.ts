/** Queue utilization of a trace. */
import type { Trace, TraceQueue } from "@cl/launcher";

/** Utilization of a queue. Times are in nanoseconds. */
export interface QueueUse {
  readonly queue: TraceQueue;
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

/** Returns the time from the first start of a command on any queue to the last end. */
export function spanOf({ commands }: Trace): number {
  if (commands.length === 0) return 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { started, ended } of commands) {
    first = Math.min(first, started);
    last = Math.max(last, ended);
  }
  return last - first;
}

/** Returns the utilization of each queue, in the trace's order. Overlapping commands count once. */
export function queueUses(trace: Trace): QueueUse[] {
  const span = spanOf(trace);
  const rangesByQueue = new Map<number, (readonly [started: number, ended: number])[]>();
  for (const { queue, started, ended } of trace.commands) {
    const list = rangesByQueue.get(queue);
    if (list === undefined) rangesByQueue.set(queue, [[started, ended]]);
    else list.push([started, ended]);
  }
  return trace.queues.map((queue) => {
    const ranges = (rangesByQueue.get(queue.id) ?? []).sort(([a], [b]) => a - b);
    let [busy, longestGap, end] = [0, 0, Number.NaN];
    for (const [from, to] of ranges) {
      if (from > end) longestGap = Math.max(longestGap, from - end);
      if (to <= end) continue;
      busy += to - (from < end ? end : from);
      end = to;
    }
    return { queue, commands: ranges.length, busy, idle: span - busy, share: busy / span, longestGap };
  });
}
