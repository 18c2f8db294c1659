/** Nested arrays of values: their shape, and their elements in C order. */
import { mostAxes, typeError } from "@cl/base";

import type { DType, DTypeValue } from "../dtype/dtype.js";

/** Values in arrays in arrays, evenly. A vector's components are an array themselves. */
export type Nested = DTypeValue | readonly Nested[];

/** The shape of nested arrays whose innermost values are elements of `type`. */
export function nestedShape(values: Nested, type: DType, name: string): readonly number[] {
  const shape: number[] = [];
  let first: unknown = values;
  while (Array.isArray(first)) {
    if (shape.push(first.length) > mostAxes) throw typeError(name, `arrays nested at most ${mostAxes} deep`, values);
    first = (first as readonly unknown[])[0];
  }
  if (type.kind !== "vector") return shape;
  if (shape.length === 0) {
    throw typeError(name, `arrays of ${type.width} components, since elements are ${type.name}`, values);
  }
  return shape.slice(0, -1);
}

/** Calls back with each element, in C order; throws where an array is longer or shorter than its neighbours. */
export function eachNested(
  values: Nested,
  shape: readonly number[],
  name: string,
  visit: (value: DTypeValue) => void,
): void {
  const walk = (value: unknown, axis: number, words: string): void => {
    if (axis === shape.length) {
      visit(value as DTypeValue);
      return;
    }
    if (!Array.isArray(value) || value.length !== shape[axis]) {
      throw typeError(words, `an array of ${shape[axis] as number}, as those beside it`, value);
    }
    for (let i = 0; i < value.length; i++) walk((value as readonly unknown[])[i], axis + 1, `${words}[${i}]`);
  };
  walk(values, 0, name);
}
