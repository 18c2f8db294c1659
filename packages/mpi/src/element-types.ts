/** Element types and reductions of MPI, by the names that users know. */
import { arrayBufferOf, arrayTag, canShrink, lengthOf, typeError, wrongValue } from "@cl/base";

import type { HostArray } from "./native.js";

/** Names of the reductions. */
export type Reduction = "sum" | "product" | "min" | "max" | "and" | "or";

/** In the order of the native enum. */
const reductions: readonly Reduction[] = ["sum", "product", "min", "max", "and", "or"];

/** The number of each element type in the native enum, by the name of the array's class. */
const types: ReadonlyMap<string | undefined, number> = new Map([
  ["Int8Array", 0],
  ["Uint8Array", 1],
  ["Uint8ClampedArray", 1],
  ["Int16Array", 2],
  ["Uint16Array", 3],
  ["Int32Array", 4],
  ["Uint32Array", 5],
  ["BigInt64Array", 6],
  ["BigUint64Array", 7],
  ["Float32Array", 8],
  ["Float64Array", 9],
]);

/** MPI counts elements in 32 bits. */
const maxElements = 2 ** 31 - 1;

/** Returns the number of an array's element type. Throws if MPI cannot move the array. */
export function typeOf(array: HostArray, name: string): number {
  const number = types.get(arrayTag(array));
  if (number === undefined) throw typeError(name, "a typed array", array);
  checkCount(lengthOf(array), name);
  if (canShrink(arrayBufferOf(array))) {
    throw wrongValue(`${name} must not be a view of a resizable ArrayBuffer, whose memory may go while MPI uses it`);
  }
  return number;
}

/** Throws if MPI cannot move this number of elements in one call. */
export function checkCount(count: number, name: string): void {
  if (count > maxElements) throw wrongValue(`${name} has ${count} elements; MPI moves at most ${maxElements}`);
}

/** Returns the number of a reduction for an array. */
export function reductionOf(operation: Reduction, array: HostArray): number {
  const number = reductions.indexOf(operation);
  if (number < 0) throw typeError("operation", `one of ${reductions.map((one) => `"${one}"`).join(", ")}`, operation);
  if (number >= 4 && (array instanceof Float32Array || array instanceof Float64Array)) {
    throw wrongValue(`operation "${operation}" works on bits, so the elements must be integers`);
  }
  return number;
}
