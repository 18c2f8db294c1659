/** Arrays in the results of functions. */
import type { AnyArray } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";

/** Releases the arrays of a result. */
export function releaseArraysIn(result: unknown): void {
  for (const array of arraysIn(result) ?? []) array.release();
}

/** Returns the arrays of a result: an array, or a list or plain object of arrays. Undefined for other results. */
export function arraysIn(result: unknown): readonly AnyArray[] | undefined {
  if (isArray(result)) return [result];
  if (typeof result !== "object" || result === null) return undefined;
  // Records are arrays of their units.
  if ("units" in result && isArray(result.units)) return [result.units];
  if (!Array.isArray(result) && Object.getPrototypeOf(result) !== Object.prototype) return undefined;
  const values: readonly unknown[] = Object.values(result).filter((value) => value !== undefined);
  return values.every(isArray) ? values : undefined;
}
