/** Puts what happens at the same time side by side. */
import { MinHeap } from "./min-heap.js";

/** Something that takes time. */
export interface Interval {
  readonly started: number;
  readonly ended: number;
}

/** A lane, counted from 0, for each interval, and how many there are. */
export interface Lanes {
  readonly lane: Int32Array;
  readonly count: number;
}

/**
 * Lanes in which no two intervals overlap, as few as there can be: each goes, by its beginning, to the first lane that is
 * free. One that ends when another begins does not overlap it.
 */
export function separateLanes(intervals: readonly Interval[]): Lanes {
  const lane = new Int32Array(intervals.length);
  const ends: number[] = [];
  const busy = new MinHeap((one) => ends[one] as number);
  const free = new MinHeap((one) => one);
  for (const index of inOrder(intervals, (a, b) => a.ended - b.ended)) {
    const { started, ended } = intervals[index] as Interval;
    while (busy.size > 0 && (ends[busy.first] as number) <= started) free.push(busy.pop());
    const chosen = free.size > 0 ? free.pop() : ends.length;
    ends[chosen] = ended;
    busy.push(chosen);
    lane[index] = chosen;
  }
  return { lane, count: ends.length };
}

/**
 * Lanes in which an interval may lie within another, as the spans of functions that call each other do; those that overlap
 * in part are in different lanes. `depth` is how many others each lies in.
 */
export function nestedLanes(intervals: readonly Interval[]): Lanes & { readonly depth: Int32Array } {
  const lane = new Int32Array(intervals.length);
  const depth = new Int32Array(intervals.length);
  const stacks: number[][] = [];
  for (const index of inOrder(intervals, (a, b) => b.ended - a.ended)) {
    const { started, ended } = intervals[index] as Interval;
    let chosen = stacks.findIndex((open) => {
      while (open.length > 0 && (open.at(-1) as number) <= started) open.pop();
      return open.length === 0 || (open.at(-1) as number) >= ended;
    });
    if (chosen < 0) chosen = stacks.push([]) - 1;
    const open = stacks[chosen] as number[];
    lane[index] = chosen;
    depth[index] = open.length;
    open.push(ended);
  }
  return { lane, depth, count: stacks.length };
}

/** The places of the intervals, by their beginnings. */
function inOrder(intervals: readonly Interval[], tie: (a: Interval, b: Interval) => number): Uint32Array {
  return Uint32Array.from(intervals.keys()).sort((a, b) => {
    const [one, other] = [intervals[a] as Interval, intervals[b] as Interval];
    return one.started - other.started || tie(one, other) || a - b;
  });
}
