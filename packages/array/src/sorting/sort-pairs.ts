/** Sorting of values by keys: each line of values in the order of the keys' line. */
import { gather } from "../indexing/gather.js";
import { selectPaired } from "../indexing/along-axis.js";
import { sortLines } from "./sort-lines.js";
import type { AnyArray } from "../storage/array-ref.js";

/** The results, all of the shape that the lines have. */
export interface SortedPairs {
  readonly keys: AnyArray | undefined;
  readonly values: readonly AnyArray[];
}

/**
 * Enqueues it for arrays of one shape without gaps. One array of 4 or 8 bytes for each value moves with the keys; all others
 * are gathered once it is known where the keys come from.
 */
export function sortPairs(
  keys: AnyArray,
  values: readonly AnyArray[],
  { descending, keepKeys }: { readonly descending: boolean; readonly keepKeys: boolean },
): SortedPairs {
  const { xp, shape } = keys;
  const made: AnyArray[] = [];
  const empty = (dtype: AnyArray["dtype"]): AnyArray => {
    const array = xp.empty(shape, { dtype });
    made.push(array);
    return array;
  };
  try {
    const sorted = keepKeys ? empty(keys.dtype) : undefined;
    const [only] = values;
    if (values.length === 1 && only !== undefined && (only.dtype.itemSize === 4 || only.dtype.itemSize === 8)) {
      const moved = empty(only.dtype);
      using dense = only.isDense ? undefined : only.copy();
      sortLines(keys, { descending, values: sorted, indices: moved, given: dense ?? only });
      return { keys: sorted, values: [moved] };
    }
    using places = xp.empty(shape, { dtype: "int32" });
    sortLines(keys, { descending, values: sorted, indices: places });
    const gathered = values.map((one) => {
      const array = gatherLines(one, places);
      made.push(array);
      return array;
    });
    return { keys: sorted, values: gathered };
  } catch (error) {
    for (const array of made) array.release();
    throw error;
  }
}

/** The elements of each line at places along it, which are known to be right. */
export function gatherLines(lines: AnyArray, places: AnyArray): AnyArray {
  const index = { array: places, mode: "trusted", [Symbol.dispose]: () => undefined } as const;
  return gather(lines, selectPaired(lines, index, lines.ndim - 1));
}
