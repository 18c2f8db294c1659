/** How intervals occupy the time from the first start to the last end. */
import { inOrder, type Times } from "./lanes.js";

/** Times are in nanoseconds. */
export interface Occupancy {
  /** From the first start to the last end; 0 without intervals. */
  readonly span: number;
  /** Time in at least one interval. */
  readonly busy: number;
  /** The longest time between two intervals. */
  readonly longestGap: number;
}

/** Returns the occupancy by intervals, which may overlap. */
export function occupancy(started: Times, ended: Times): Occupancy {
  let [busy, longestGap, first, end] = [0, 0, Number.NaN, Number.NaN];
  for (const index of inOrder(started, ended, 1)) {
    const [from, to] = [started[index] as number, ended[index] as number];
    if (Number.isNaN(first)) [first, end] = [from, from];
    longestGap = Math.max(longestGap, from - end);
    if (to <= end) continue;
    busy += to - Math.max(end, from);
    end = to;
  }
  return { span: Number.isNaN(first) ? 0 : end - first, busy, longestGap };
}
