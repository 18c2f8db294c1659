/** Faults of indices and masks that kernels record, and their error messages. */
import { outOfRange, wrongValue } from "@cl/base";
import type { FaultError } from "../faults/device-faults.js";

/** An index that names no element. */
export const indexFault = 1;
/** Another number of values than of places where a mask is true. */
export const countFault = 2;
/** Elements that have no finite range, which is needed. */
export const rangeFault = 3;

/** The errors of them. */
export const indexErrors: Readonly<Record<number, FaultError>> = {
  [indexFault]: (axis, index, extent) => outOfRange(indexSentence(index, axis, extent)),
  [countFault]: (_, places, values) => wrongValue(countSentence(places, values)),
  [rangeFault]: () => outOfRange("the elements of a histogram must have a finite range; set options.range"),
};

/** What is said of an index that names no element. */
export function indexSentence(index: number | bigint, axis: number, extent: number | bigint): string {
  return `index ${index} is out of range for axis ${axis}, whose extent is ${extent}`;
}

/** What is said of values that are more or fewer than the places where they belong. */
export function countSentence(places: number | bigint, values: number | bigint): string {
  return `${values} values cannot be stored where the mask is true, which is in ${places} places`;
}
