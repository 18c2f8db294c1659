/** Assigns overlapping intervals to lanes. Also used by the report page, so without Node.js modules. */
import { MinHeap } from "./min-heap.js";

/** Start or end times of intervals. */
export type Times = ArrayLike<number>;

/** Zero-based lane of each interval, and number of lanes. */
export interface Lanes {
  readonly lane: Int32Array;
  readonly count: number;
}

/**
 * Assigns intervals to as few lanes as possible so that those of one lane do not overlap. Intervals are assigned by start time
 * to the first free lane. An interval that ends when another starts does not overlap it.
 */
export function separateLanes(started: Times, ended: Times): Lanes {
  const lane = new Int32Array(started.length);
  const ends: number[] = [];
  const busy = new MinHeap((item) => ends[item] as number);
  const free = new MinHeap((item) => item);
  for (const index of inOrder(started, ended, 1)) {
    while (busy.size > 0 && (ends[busy.first] as number) <= (started[index] as number)) free.push(busy.pop());
    const chosen = free.size > 0 ? free.pop() : ends.length;
    ends[chosen] = ended[index] as number;
    busy.push(chosen);
    lane[index] = chosen;
  }
  return { lane, count: ends.length };
}

/**
 * Assigns intervals to lanes in which they may be nested, like the spans of nested function calls, but do not overlap
 * partially. `depth` is the nesting depth of each interval.
 */
export function nestedLanes(started: Times, ended: Times): Lanes & { readonly depth: Int32Array } {
  const lane = new Int32Array(started.length);
  const depth = new Int32Array(started.length);
  const stacks: number[][] = [];
  for (const index of inOrder(started, ended, -1)) {
    const [from, to] = [started[index] as number, ended[index] as number];
    let chosen = stacks.findIndex((open) => {
      while (open.length > 0 && (open.at(-1) as number) <= from) open.pop();
      return open.length === 0 || (open.at(-1) as number) >= to;
    });
    if (chosen < 0) chosen = stacks.push([]) - 1;
    const open = stacks[chosen] as number[];
    lane[index] = chosen;
    depth[index] = open.length;
    open.push(to);
  }
  return { lane, depth, count: stacks.length };
}

/** Returns the indices of the intervals by start time, then by length: ascending, or descending for direction -1. */
export function inOrder(started: Times, ended: Times, direction: 1 | -1): Uint32Array {
  const indices = Uint32Array.from({ length: started.length }, (_, index) => index);
  return indices.sort((a, b) => {
    const later = (started[a] as number) - (started[b] as number);
    return later !== 0 ? later : direction * ((ended[a] as number) - (ended[b] as number)) || a - b;
  });
}
