/** Stores at indices of every kind. */
import { storeMasked } from "./masked-store.js";
import { isMask } from "./masks.js";
import { parseIndices } from "./parse-indices.js";
import type { IndexedAccess } from "./run-indexed.js";
import { apart, scatter, withValues } from "./scatter.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Stores values at an index or a list of indices, or updates the existing elements with them. */
export function storeAt(target: AnyArray, indices: unknown, values: unknown, action: IndexedAccess["action"]): void {
  withValues(target, values, action !== "scatter", (given) => {
    apart(target, Array.isArray(indices) ? indices : [indices], (list) => {
      if (list.some((index) => isMask(index))) {
        storeMasked(target, list, given, action);
        return;
      }
      const selection = parseIndices(target, list, new Map());
      try {
        scatter(target, selection, given, action);
      } finally {
        for (const one of selection.temporary) one.release();
      }
    });
  });
}
