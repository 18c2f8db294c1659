/** Puts what happens at the same time side by side. No part of Node.js is used here: the page of the report has this, too. */
import { MinHeap } from "./min-heap.js";

/** Times when intervals begin, or end, one for each. */
export type Times = ArrayLike<number>;

/** A lane, counted from 0, for each interval, and how many there are. */
export interface Lanes {
  readonly lane: Int32Array;
  readonly count: number;
}

/**
 * Lanes in which no two intervals overlap, as few as there can be: each goes, by its beginning, to the first lane that is
 * free. One that ends when another begins does not overlap it.
 */
export function separateLanes(started: Times, ended: Times): Lanes {
  const lane = new Int32Array(started.length);
  const ends: number[] = [];
  const busy = new MinHeap((one) => ends[one] as number);
  const free = new MinHeap((one) => one);
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
 * Lanes in which an interval may lie within another, as the spans of functions that call each other do; those that overlap
 * in part are in different lanes. `depth` is how many others of its lane each lies in.
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

/** The places of the intervals by their beginnings; those that begin together from the short to the long, or the other way. */
export function inOrder(started: Times, ended: Times, direction: 1 | -1): Uint32Array {
  const places = Uint32Array.from({ length: started.length }, (_, place) => place);
  return places.sort((a, b) => {
    const later = (started[a] as number) - (started[b] as number);
    return later !== 0 ? later : direction * ((ended[a] as number) - (ended[b] as number)) || a - b;
  });
}
