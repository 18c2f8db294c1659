/** Nested arrays of values: their shape, and their elements in C order. */
import { maxAxes, typeError } from "@cl/base";

import type { DType, DTypeValue } from "../dtype/dtype.js";

/** A value, or nested arrays of values of equal length. A vector value is itself an array. */
export type Nested = DTypeValue | readonly Nested[];

/** Returns the shape of nested arrays whose innermost values are elements of `type`. */
export function nestedShape(values: Nested, type: DType, name: string): readonly number[] {
  const shape: number[] = [];
  let first: unknown = values;
  while (Array.isArray(first)) {
    if (shape.push(first.length) > maxAxes) throw typeError(name, `arrays nested at most ${maxAxes} deep`, values);
    first = (first as readonly unknown[])[0];
  }
  if (type.kind !== "vector") return shape;
  if (shape.length === 0) {
    throw typeError(name, `arrays of ${type.width} components, because elements are ${type.name}`, values);
  }
  return shape.slice(0, -1);
}

/** Calls `visit` for each element, in C order. Throws if arrays of the same depth have different lengths. */
export function eachNested(
  values: Nested,
  shape: readonly number[],
  name: string,
  visit: (value: DTypeValue) => void,
): void {
  const walk = (value: unknown, axis: number, path: string): void => {
    if (axis === shape.length) {
      visit(value as DTypeValue);
      return;
    }
    if (!Array.isArray(value) || value.length !== shape[axis]) {
      throw typeError(path, `an array of length ${shape[axis] as number}, like its siblings`, value);
    }
    for (let i = 0; i < value.length; i++) walk((value as readonly unknown[])[i], axis + 1, `${path}[${i}]`);
  };
  walk(values, 0, name);
}
