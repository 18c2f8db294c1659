/** Faults of reductions that kernels record, and their error messages. */
import { wrongValue } from "@cl/base";
import type { FaultError } from "./fault-error.js";

/** Elements that are all NaN. */
export const allNanFault = 20;

const routines = ["nanargmin", "nanargmax"] as const;

/** A reduction that can fail for the values of the elements. */
export type ReductionRoutine = (typeof routines)[number];

/** The number by which kernels know a reduction. */
export function reductionNumber(routine: ReductionRoutine): number {
  return routines.indexOf(routine);
}

/** The errors of these faults. `slice` is the index of the result in C order. */
export const reductionErrors: Readonly<Record<number, FaultError>> = {
  [allNanFault]: (where, slice) =>
    wrongValue(
      `${routines[where]} needs an element that is not NaN; all elements are NaN for index ${slice} of the result`,
    ),
};
