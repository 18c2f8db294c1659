/** The largest or smallest elements along an axis. */
import { checkBoolean, checkInteger, outOfRange } from "@cl/base";
import { axisLast } from "../shapes/axis-last.js";
import { checkAxis } from "../shapes/check-axes.js";
import { Disposals } from "../storage/disposals.js";
import { sortLines } from "../sorting/sort-lines.js";
import type { DTypeName } from "../types/dtype-name.js";
import { RankSelection, selectsRanks } from "./rank-selection.js";
import type { ArrayRef } from "../storage/array-ref.js";
import { fill } from "../elementwise/assign.js";

/** Options of `topk`. */
export interface TopkOptions {
  /**
   * The axis.
   * @defaultValue the last
   */
  readonly axis?: number | undefined;
  /**
   * Whether to select the largest elements; false for the smallest.
   * @defaultValue true
   */
  readonly largest?: boolean | undefined;
}

/** To find more of a line and then put them in order takes as long as to sort it. */
const maxFraction = 1 / 8;

/** Values and where they are. */
export function topk<D extends DTypeName>(
  array: ArrayRef<D>,
  k: number,
  { axis = -1, largest }: TopkOptions,
): [values: ArrayRef<D>, indices: ArrayRef<"int64">] {
  const along = checkAxis(axis, array.ndim, "options.axis");
  const extent = array.shape[along] as number;
  checkInteger(k, "k");
  if (k > extent) throw outOfRange(`k must be at most ${extent}, the length of axis ${along}, received ${k}`);
  const descending = checkBoolean(largest, "options.largest", true);
  const { xp, dtype } = array;
  using all = new Disposals();
  const lines = all.use(axisLast(array, along));
  if (k > 0 && k <= extent * maxFraction && selectsRanks(lines, 1)) return firstOfLines(lines, k, descending, along);
  const values = all.use(xp.empty(lines.shape, { dtype }));
  const indices = all.use(xp.empty(lines.shape, { dtype: "int64" }));
  sortLines(lines, { descending, values, indices });
  return firstOf(values, indices, k, along);
}

/** The few that are wanted, found by their rank and then put in order. */
function firstOfLines<D extends DTypeName>(
  lines: ArrayRef<D>,
  k: number,
  descending: boolean,
  along: number,
): [values: ArrayRef<D>, indices: ArrayRef<"int64">] {
  const { xp, dtype } = lines;
  const shape = [...lines.shape.slice(0, -1), k];
  using all = new Disposals();
  const found = all.use(xp.empty(shape, { dtype }));
  const places = all.use(xp.empty(shape, { dtype: "int32" }));
  const selection = all.use(
    new RankSelection({ lines, descending, ranks: 1 }, ({ ranks }) => {
      fill(ranks, k - 1);
    }),
  );
  selection.takeFirst(found, places);
  const values = all.use(xp.empty(shape, { dtype }));
  const indices = all.use(xp.empty(shape, { dtype: "int64" }));
  sortLines(found, { descending, values, indices, given: places });
  return firstOf(values, indices, k, along);
}

/** Returns copies of the first elements of lines, with the last axis where it was: the rest of the memory is not kept. */
function firstOf<D extends DTypeName>(
  values: ArrayRef<D>,
  indices: ArrayRef<"int64">,
  k: number,
  along: number,
): [values: ArrayRef<D>, indices: ArrayRef<"int64">] {
  const copyOf = <E extends DTypeName>(lines: ArrayRef<E>): ArrayRef<E> => {
    using first = lines.slice("...", [0, k]);
    using moved = first.moveaxis(-1, along);
    return moved.copy();
  };
  const copied = copyOf(values);
  try {
    return [copied, copyOf(indices)];
  } catch (error) {
    copied.release();
    throw error;
  }
}
