/** The first elements of the order along an axis. */
import { checkBoolean, checkInteger, outOfRange } from "@cl/core/checks";
import { axisBack, axisLast } from "../array/axis-last.js";
import { checkAxis } from "../array/check-axes.js";
import type { DeviceArray } from "../array/device-array.js";
import { Disposals } from "../array/disposals.js";
import { sortLines } from "../sorting/sort-lines.js";
import type { DTypeName } from "../types/dtype-name.js";

/** Along what the largest elements are looked for. */
export interface TopkOptions {
  /** The axis; the last if not said. */
  readonly axis?: number | undefined;
  /** False for the smallest. */
  readonly largest?: boolean | undefined;
}

/** Along what is divided by rank. */
export interface PartitionOptions {
  /** The axis; the last if not said. */
  readonly axis?: number | undefined;
}

/** Values and where they are. */
export function topk<D extends DTypeName>(
  array: DeviceArray<D>,
  k: number,
  { axis = -1, largest }: TopkOptions,
): [values: DeviceArray<D>, indices: DeviceArray<"int64">] {
  const along = checkAxis(axis, array.ndim, "options.axis");
  const extent = array.shape[along] as number;
  checkInteger(k, "k");
  if (k > extent) throw outOfRange(`k is ${k}, but axis ${along} has ${extent} elements`);
  const descending = checkBoolean(largest, "options.largest", true);
  const { xp, dtype } = array;
  using all = new Disposals();
  const lines = all.use(axisLast(array, along));
  const values = all.use(xp.empty(lines.shape, { dtype }));
  const indices = all.use(xp.empty(lines.shape, { dtype: "int64" }));
  sortLines(lines, { descending, values, indices });
  // The rest of the memory is not kept.
  const first = all.use(values.slice("...", [0, k]));
  const where = all.use(indices.slice("...", [0, k]));
  const taken = axisBack(first.copy(), along);
  try {
    return [taken, axisBack(where.copy(), along)];
  } catch (error) {
    taken.release();
    throw error;
  }
}

/** The axis, where an element of each rank is there. */
export function checkRank(array: DeviceArray, kth: unknown, { axis = -1 }: PartitionOptions): number {
  const along = checkAxis(axis, array.ndim, "options.axis");
  const extent = array.shape[along] as number;
  const list = Array.isArray(kth) ? (kth as readonly unknown[]) : [kth];
  for (const [i, one] of list.entries()) {
    const name = Array.isArray(kth) ? `kth[${i}]` : "kth";
    if (extent > 0) checkInteger(one, name, -extent, extent - 1);
    else checkInteger(one, name, Number.MIN_SAFE_INTEGER);
  }
  return along;
}
