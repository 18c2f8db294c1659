/** Lists of values by integer keys, stored contiguously in one array. */
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { storedType } from "../kernels/compute-type.js";
import { sortPairs } from "./sort-pairs.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { fill } from "../elementwise/assign.js";

/** Enqueues it for arrays of one axis and one length. */
export function listsByKey(
  keys: AnyArray,
  values: AnyArray,
  count: number,
  dtype: "int32" | "int64",
): { readonly starts: ArrayRef<"int32" | "int64">; readonly lists: AnyArray } {
  const { xp } = keys;
  const { queue } = xp;
  const starts = xp.empty([count + 1], { dtype });
  try {
    if (keys.size === 0) {
      fill(starts, 0);
      return { starts, lists: values.copy() };
    }
    using whole = keys.isContiguous ? undefined : keys.copy();
    using contiguous = values.isContiguous ? undefined : values.copy();
    const sorted = sortPairs(whole ?? keys, [contiguous ?? values], { descending: false, keepKeys: true });
    using ordered = sorted.keys as AnyArray;
    const [key, type] = [storedType(keys.dtype.name), dtype === "int64" ? "long" : "int"];
    const kernel = kernelOf(queue.context, `starts ${key} ${type}`, "starts", () => source(key, type));
    const [from, to] = [ordered.operand().storage, starts.operand().storage];
    const args = [from.memory, to.memory, BigInt(keys.size), count];
    launchOrdered(queue, kernel, wholeGroups(queue.device, count + 1), args, [from], [to]);
    return { starts, lists: sorted.values[0] as AnyArray };
  } catch (error) {
    starts.release();
    throw error;
  }
}

const source = (key: string, type: string): string => `
/* The first place whose key is not less, by halves. */
__kernel void starts(__global const ${key} *const keys, __global ${type} *const starts, const long size, const int count) {
  const int wanted = (int)get_global_id(0);
  if (wanted > count) return;
  long low = 0;
  long high = size;
  while (low < high) {
    const long middle = low + (high - low) / 2;
    if (${key.startsWith("u") ? "keys[middle] < (ulong)wanted" : "keys[middle] < wanted"}) low = middle + 1;
    else high = middle;
  }
  starts[wanted] = (${type})low;
}
`;
