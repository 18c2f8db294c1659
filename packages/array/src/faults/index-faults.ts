/** Faults of indices and masks that kernels record, and their error messages. */
import { outOfRange, wrongValue } from "@cl/base";
import type { FaultError } from "./fault-error.js";

/** An index that is out of range. */
export const indexFault = 1;
/** A number of values that differs from the number of true elements of a mask. */
export const countFault = 2;
/** Elements without a finite range. */
export const rangeFault = 3;

/** The errors of these faults. */
export const indexErrors: Readonly<Record<number, FaultError>> = {
  [indexFault]: (axis, index, extent) => outOfRange(indexSentence(index, axis, extent)),
  [countFault]: (_, places, values) => wrongValue(countSentence(places, values)),
  [rangeFault]: () =>
    outOfRange("the elements of a histogram must have a finite range; with NaN or infinities, set options.range"),
};

/** Returns the message for an out-of-range index. */
export function indexSentence(index: number | bigint, axis: number, extent: number | bigint): string {
  return `index ${index} is out of range for axis ${axis}, whose extent is ${extent}`;
}

/** Returns the message for a number of values that differs from the number of true elements. */
export function countSentence(places: number | bigint, values: number | bigint): string {
  return `values must have one element for each of the ${places} true elements of the mask, received ${values}`;
}
