/** NumPy's partition: an element in its sorted position, smaller ones before it, larger ones after it. */
import { checkInteger, checkList } from "@cl/base";
import { axisBack, axisLast } from "../shapes/axis-last.js";
import { checkAxis } from "../shapes/check-axes.js";
import { filled } from "../storage/filled.js";
import type { DTypeName } from "../types/dtype-name.js";
import { RankSelection, selectsRanks } from "./rank-selection.js";
import type { ArrayRef } from "../storage/array-ref.js";
import { argsortArray, sortArray } from "../sorting/sort-array.js";
import { fill } from "../elementwise/assign.js";

/** Options of `partition`. */
export interface PartitionOptions {
  /**
   * The axis.
   * @defaultValue the last
   */
  readonly axis?: number | undefined;
}

/** The elements, or for int64 the indices along the axis where they come from. What finds no single rank sorts. */
export function partition(
  array: ArrayRef,
  kth: unknown,
  options: PartitionOptions,
  what: "elements" | "places",
): ArrayRef {
  const { along, ranks } = checkRanks(array, kth, options);
  const [rank] = ranks;
  if (rank !== undefined && ranks.size === 1) {
    using lines = axisLast(array, along);
    if (selectsRanks(lines, 1)) return axisBack(divided(lines, rank, what), along);
  }
  return what === "elements" ? sortArray(array, { axis: along }) : argsortArray(array, { axis: along });
}

function divided(lines: ArrayRef, rank: number, what: "elements" | "places"): ArrayRef {
  const { xp, shape, dtype } = lines;
  using selection = new RankSelection({ lines, descending: false, ranks: 1 }, ({ ranks }) => {
    fill(ranks, rank);
  });
  const type: DTypeName = what === "elements" ? dtype.name : "int64";
  return filled(xp.empty(shape, { dtype: type }), (target) => {
    selection.divide(target, what);
  });
}

/** The axis, and the ranks from 0 on, where an element of each rank is there. */
function checkRanks(
  array: ArrayRef,
  kth: unknown,
  { axis = -1 }: PartitionOptions,
): { readonly along: number; readonly ranks: ReadonlySet<number> } {
  const along = checkAxis(axis, array.ndim, "options.axis");
  const extent = array.shape[along] as number;
  const list = Array.isArray(kth) ? checkList(kth, "kth", "a list of integers") : [kth];
  const ranks = list.map((one, i) => {
    const name = Array.isArray(kth) ? `kth[${i}]` : "kth";
    if (extent === 0) return checkInteger(one, name, Number.MIN_SAFE_INTEGER);
    const rank = checkInteger(one, name, -extent, extent - 1);
    return rank < 0 ? rank + extent : rank;
  });
  return { along, ranks: new Set(ranks) };
}
