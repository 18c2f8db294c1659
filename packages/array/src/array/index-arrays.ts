/** Lists of indices, as users see them. */
import type { ArrayRef } from "../storage/array-ref.js";
import { asDeviceArray, type DeviceArray } from "./arrays.js";

/** Arrays of indices, one for each axis. */
export type IndexArrays = [DeviceArray<"int64">, ...DeviceArray<"int64">[]];

/** Returns the rows of a matrix, which is released, as arrays that share its memory. */
export function rowsOf(matrix: ArrayRef<"int64">): IndexArrays {
  using all = asDeviceArray(matrix);
  return [all.slice(0), ...Array.from({ length: (all.shape[0] as number) - 1 }, (_, i) => all.slice(i + 1))];
}
