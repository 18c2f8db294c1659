/** Sorting by several keys: by the least significant first, then stably by the others. */
import { filled } from "../storage/filled.js";
import { gatherLines } from "./sort-pairs.js";
import { sortLines } from "./sort-lines.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** Enqueues it for lines of one shape without gaps, the last of which count most. Gives places along the lines. */
export function lexsortLines(keys: readonly [AnyArray, ...AnyArray[]]): ArrayRef<"int64"> {
  const [first, ...others] = keys;
  const { xp, shape } = first;
  return filled(xp.empty(shape, { dtype: "int64" }), (result) => {
    let places: ArrayRef<"int32"> | undefined;
    try {
      for (const [k, lines] of [first, ...others].entries()) {
        const indices = k === others.length ? result : xp.empty(shape, { dtype: "int32" });
        using before = places;
        places = indices === result ? undefined : (indices as ArrayRef<"int32">);
        using ordered = before === undefined ? undefined : gatherLines(lines, before);
        sortLines(ordered ?? lines, { indices, given: before });
      }
    } finally {
      places?.release();
    }
  });
}
