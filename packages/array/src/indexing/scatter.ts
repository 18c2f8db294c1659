/** Stores and updates at indices. */
import { broadcastLayout, type Layout, sizeOf, wrongType } from "@cl/base";

import type { Nested, TypedArray } from "@cl/core";
import { checkArray, checkWritable, isArray } from "../storage/check-array.js";
import type { DTypeName, FillValue } from "../types/dtype-name.js";
import { canStore } from "../types/promote.js";
import type { Selection } from "./parse-indices.js";
import { type IndexedAccess, runIndexed } from "./run-indexed.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Stores values, broadcast to what is selected. They are converted as `assign` does it. */
export function scatter(
  array: AnyArray,
  selection: Selection,
  values: AnyArray,
  action: IndexedAccess["action"],
  mask?: IndexedAccess["mask"],
): void {
  const { shape, layout, terms } = selection;
  if (array.size === 0 || sizeOf(shape) === 0) return;
  const operand = values.operand();
  runIndexed(array.xp, {
    action,
    data: { ...array.operand(), layout },
    other: {
      ...operand,
      layout: broadcastLayout(withoutOnes(operand.layout, shape.length), shape, "the shape of the indexed elements"),
    },
    terms,
    ...(mask === undefined ? {} : { mask }),
  });
}

/** Runs with the values as an array of the target's type that shares no memory with it. */
export function withValues(target: AnyArray, values: unknown, exact: boolean, use: (values: AnyArray) => void): void {
  checkWritable(target);
  const { xp, dtype } = target;
  if (isArray(values)) {
    const given = checkArray(values, xp, "values");
    if (exact && !canStore(given.dtype.name, dtype.name)) {
      throw wrongType(`${given.dtype.name} values cannot update ${dtype.name} elements in place; convert them first`);
    }
    if (given.dtype === dtype && !given.operand().storage.meets(target.operand().storage)) {
      use(given);
      return;
    }
    using converted = xp.empty(given.shape, { dtype });
    converted.assign(given);
    use(converted);
    return;
  }
  if (ArrayBuffer.isView(values)) {
    // A typed array has its own dtype and is converted like a device array.
    using typed = xp.array(values as TypedArray);
    withValues(target, typed, exact, use);
    return;
  }
  using made = Array.isArray(values)
    ? xp.array(values as Nested, { dtype })
    : xp.full([], values as FillValue<DTypeName>, { dtype: dtype.name });
  use(made);
}

/** Indices that share memory with what is written are copied before. */
export function apart(target: AnyArray, indices: readonly unknown[], use: (indices: readonly unknown[]) => void): void {
  const { storage } = target.operand();
  const copies: AnyArray[] = [];
  try {
    use(
      indices.map((index) => {
        if (!isArray(index) || !index.operand().storage.meets(storage)) return index;
        const copy = index.copy();
        copies.push(copy);
        return copy;
      }),
    );
  } finally {
    for (const copy of copies) copy.release();
  }
}

/** Drops leading axes of length 1 of the stored values. */
export function withoutOnes(layout: Layout, axes: number): Layout {
  let extra = 0;
  while (layout.shape.length - extra > axes && layout.shape[extra] === 1) extra++;
  return { shape: layout.shape.slice(extra), strides: layout.strides.slice(extra), offset: layout.offset };
}
