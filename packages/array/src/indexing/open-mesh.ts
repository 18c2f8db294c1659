/** Indices that select the elements in given rows, columns and so on: `ix`. */
import { outOfRange, typeError } from "@cl/base";
import { checkArray, isArray, isHostList } from "../storage/check-array.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { kindOf } from "../types/promote.js";
import { hostNumbers, truePlaces } from "./host-indices.js";
import type { HostIndices, IntegerArray } from "./index-types.js";

/** Returns each list of indices along a separate axis, so that they broadcast to a grid. */
export function openMesh(xp: ArraySource, lists: readonly (HostIndices | IntegerArray)[]): AnyArray[] {
  const lines = lists.map((list, i) => parse(xp, list, `indices[${i}]`));
  const shapeFor = (axis: number): number[] => lists.map((_, i) => (i === axis ? -1 : 1));
  return lines.map((line, axis) => {
    if (isArray(line)) return line.reshape(shapeFor(axis));
    using array = xp.fromHost(BigInt64Array.from(line, BigInt));
    return array.reshape(shapeFor(axis));
  });
}

function parse(xp: ArraySource, list: HostIndices | IntegerArray, name: string): AnyArray | readonly number[] {
  if (isArray(list)) {
    const kind = kindOf(checkArray(list, xp, name).dtype.name);
    if (kind !== 1 && kind !== 2) throw typeError(name, "a list of integers or of booleans, or an integer array", list);
    checkLine(list.shape, name);
    return list;
  }
  if (!isHostList(list)) throw typeError(name, "a list of integers or of booleans, or an integer array", list);
  const numbers = hostNumbers(list, name);
  checkLine(numbers.shape, name);
  return numbers.boolean ? truePlaces(numbers) : numbers.values;
}

function checkLine(shape: readonly number[], name: string): void {
  if (shape.length !== 1) throw outOfRange(`${name} must have one axis, received shape [${shape.join()}]`);
}
