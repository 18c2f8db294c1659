/** Arrays of all ranks as one array. */
import { wrongValue } from "@cl/base";

import type { HostArray } from "./native.js";

/** Returns an array of the same type. */
export function emptyLike<T extends HostArray>(array: T, length: number): T {
  return new (array.constructor as new (length: number) => T)(length);
}

/** Returns the numbers of elements. */
export function countsOf(parts: readonly HostArray[]): Int32Array {
  return Int32Array.from(parts, ({ length }) => length);
}

/** Returns the start of each part if they follow each other. */
export function startsOf(counts: Int32Array): Int32Array {
  let start = 0;
  return counts.map((count) => (start += count) - count);
}

/** Returns all parts in one array. */
export function concatenated<T extends HostArray>(parts: readonly T[]): T {
  const starts = startsOf(countsOf(parts));
  const last = parts.length - 1;
  const all = emptyLike(parts[0] as T, (starts[last] as number) + (parts[last] as T).length);
  const target: { set(part: HostArray, start: number): void } = all as never;
  for (const [i, part] of parts.entries()) target.set(part, starts[i] as number);
  return all;
}

/** Returns the number of elements of all ranks. Throws if MPI cannot count them. */
export function totalOf(counts: Int32Array, name: string): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < 2 ** 31) return total;
  throw wrongValue(`${name}: all ranks together have ${total} elements; MPI moves at most ${2 ** 31 - 1}`);
}

/** Returns the parts of an array, which follow each other. */
export function divide<T extends HostArray>(all: T, counts: Int32Array): T[] {
  const starts = startsOf(counts);
  return Array.from(counts, (count, i) => {
    const start = starts[i] as number;
    return all.subarray(start, start + count) as T;
  });
}
