/** The first elements of memory that has room for more. */
import { contiguousLayout } from "@cl/base";
import type { CommandEvent } from "@cl/core";
import type { ArrayRef } from "../storage/array-ref.js";
import { filled } from "../storage/filled.js";
import { ordered, type Storage } from "../storage/storage.js";
import type { DTypeName } from "../types/dtype-name.js";

/**
 * Returns an array of the first `count` elements of memory that has room for as many as `array`, and their dtype: in that memory, or
 * as a copy if most of it would be wasted.
 */
export function firstElements<D extends DTypeName>(array: ArrayRef<D>, storage: Storage, count: number): ArrayRef<D> {
  const { xp, dtype, itemSize, size } = array;
  if (4 * count >= size) return xp.wrap(storage, dtype, contiguousLayout([count], itemSize));
  return filled(xp.empty([count], { dtype }), (result) => {
    if (count === 0) return;
    const target = result.operand().storage;
    ordered(xp.queue, [storage], [target], (waitFor): CommandEvent =>
      xp.queue.enqueueCopy(target.memory, storage.memory, { bytes: count * itemSize, waitFor }),
    );
  });
}
