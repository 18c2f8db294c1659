/** Sorting of lines short enough to be sorted in one kernel. */
import type { DTypeName } from "../types/dtype-name.js";
import { macros } from "../kernels/macros.js";
import { keySource, keyTypeOf, type KeyPlan } from "./key-source.js";
import { placeMacros, type PlacePlan } from "./places.js";
import rows from "./rows.cl";

/** What the text depends on. */
export interface RowsPlan extends KeyPlan {
  readonly places: PlacePlan;
  readonly on: "processor" | "gpu";
}

/** The longest line: what fits into local memory of 32 KiB, and on the stack of a processor. */
export function maxInRow(dtype: DTypeName): number {
  return keyTypeOf(dtype).key === "ulong2" ? 1024 : 2048;
}
/** Work-items of a group on GPUs. */
export const rowsGroup = 256;

/** The program of `rows`. */
export function rowsSource({ places, on, ...keys }: RowsPlan): string {
  const sized = on === "gpu" ? `__attribute__((reqd_work_group_size(${rowsGroup}, 1, 1)))` : "";
  const sizes = { GROUP: on === "gpu" ? rowsGroup : 1, MOST: maxInRow(keys.dtype), SIZED: sized };
  return `${keySource(keys)}${macros({ ...placeMacros(places), ...sizes })}${rows}`;
}
