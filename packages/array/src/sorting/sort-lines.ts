/** Sorting along the last axis of contiguous lines; the common entry point of all sorts. */
import { hasParallelWorkItems } from "@cl/characterize";
import { NotSupportedError } from "@cl/core";
import { typeNamed } from "../types/dtype-name.js";
import { noPlaces, type PlacePlan } from "./places.js";
import { maxInRow } from "./rows-source.js";
import { sortBlocks } from "./sort-blocks.js";
import { sortBuckets } from "./sort-buckets.js";
import type { SortJob } from "./sort-job.js";
import { sortRows } from "./sort-rows.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** What of sorted lines is wanted. */
export interface SortLinesOptions {
  /** From the largest; NaN is last either way, and what is equal keeps its order. */
  readonly descending?: boolean | undefined;
  /** Where the elements go in order: an array of their type and shape whose memory begins with it and is no other's. */
  readonly values?: AnyArray | undefined;
  /** Where the places along the line go: an int32 or int64 array, likewise. */
  readonly indices?: AnyArray | undefined;
  /**
   * Elements of 4 or 8 bytes that are permuted with the lines, in place of indices; their memory begins with them.
   * `indices` then has their dtype, or int64 for int32.
   */
  readonly given?: AnyArray | undefined;
}

/** Lines in order, and the place along the line from where each element comes. Both are to be released. */
export interface SortedLines<V extends AnyArray> extends Disposable {
  readonly values: V;
  readonly indices: ArrayRef<"int32">;
}

/** Enqueues it for an array without gaps: its values in order along the last axis. Release them. */
export function sortedLines<A extends AnyArray>(lines: A, descending = false): A {
  const { xp, shape, dtype } = lines;
  const values: AnyArray = xp.empty(shape, { dtype });
  try {
    sortLines(lines, { descending, values });
  } catch (error) {
    values.release();
    throw error;
  }
  return values as A;
}

/** The same with int32 places; lines are shorter than 2 ** 31. */
export function rankedLines<A extends AnyArray>(lines: A, descending = false): SortedLines<A> {
  const { xp, shape, dtype } = lines;
  const indices = xp.empty(shape, { dtype: "int32" });
  const values: AnyArray = xp.empty(shape, { dtype });
  const both = {
    values: values as A,
    indices,
    [Symbol.dispose]: (): void => {
      values.release();
      indices.release();
    },
  };
  try {
    sortLines(lines, { descending, values, indices });
  } catch (error) {
    both[Symbol.dispose]();
    throw error;
  }
  return both;
}

/** Counts of elements are 32 bits wide, with room for the end of the last part. */
const maxInLine = 2 ** 32 - 2 ** 16;

/** Enqueues the sort into existing arrays. Elements stay within their line. */
export function sortLines(lines: AnyArray, options: SortLinesOptions): void {
  const { values, indices, given, descending = false } = options;
  const { xp, size } = lines;
  const length = lines.shape.at(-1) ?? 1;
  if (size === 0 || (values === undefined && indices === undefined)) return;
  if (length > maxInLine) {
    throw new NotSupportedError(
      "@cl/array",
      `sorting supports at most ${maxInLine} elements along an axis, received ${length}`,
    );
  }
  const { dtype, layout } = lines.operand();
  if (layout.offset % typeNamed(dtype).itemSize !== 0) {
    using aligned = lines.copy();
    sortLines(aligned, options);
    return;
  }
  const job: SortJob = {
    xp,
    source: lines.operand(),
    descending,
    lines: size / length,
    length,
    keys: values?.operand(),
    places: placesOf(indices, given),
    given: given?.operand(),
    results: indices?.operand(),
  };
  if (length <= maxInRow(dtype)) sortRows(job);
  else if (hasParallelWorkItems(xp.queue.device)) sortBlocks(job);
  else sortBuckets(job);
}

const resultTypes = { int32: "int", int64: "long" } as const;

function placesOf(indices: AnyArray | undefined, given: AnyArray | undefined): PlacePlan {
  if (indices === undefined) return noPlaces;
  const type = given?.dtype.itemSize === 8 ? "ulong" : "uint";
  if (given?.dtype.itemSize === indices.dtype.itemSize) return { kind: "given", type, result: type };
  const result = resultTypes[indices.dtype.name as keyof typeof resultTypes];
  return { kind: given === undefined ? "own" : "given", type, result };
}
