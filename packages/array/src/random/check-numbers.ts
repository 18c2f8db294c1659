/** Parameters that are vectors or matrices: arrays, or lists of the host. */
import { checkList, outOfRange, wrongType } from "@cl/base";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { checkArray, isArray } from "../storage/check-array.js";
import { kindOf } from "../types/promote.js";
import { checkNumber } from "./check-range.js";

/** Real numbers with a shape; those of the host are copied only after all arguments were checked. */
export interface Numbers {
  readonly shape: readonly number[];
  /** The numbers of the host; nothing for an array. */
  readonly values: readonly number[];
  /** Returns an array, which the caller releases. */
  readonly onDevice: () => AnyArray;
}

/** Checks a vector. */
export function checkVector(value: unknown, xp: ArraySource, name: string): Numbers {
  return isArray(value) ? ofArray(value, xp, name, 1) : ofHost(xp, [checkedRow(value, name)], 1, name);
}

/** Checks a matrix. */
export function checkMatrix(value: unknown, xp: ArraySource, name: string): Numbers {
  if (isArray(value)) return ofArray(value, xp, name, 2);
  const rows = checkList(value, name, "a list of lists of numbers or a DeviceArray");
  return ofHost(xp, rows.map((row, i) => checkedRow(row, `${name}[${i}]`)), 2, name); // prettier-ignore
}

function ofArray(value: unknown, xp: ArraySource, name: string, axes: 1 | 2): Numbers {
  const array = checkArray(value, xp, name);
  if (kindOf(array.dtype.name) > 3) throw wrongType(`${name} must be real, received ${array.dtype.name}`);
  return { shape: checkExtents(array.shape, axes, name), values: [], onDevice: () => array.slice() };
}

function ofHost(xp: ArraySource, rows: readonly (readonly number[])[], axes: 1 | 2, name: string): Numbers {
  const width = rows[0]?.length ?? 0;
  const ragged = rows.findIndex((row) => row.length !== width);
  if (ragged >= 0) {
    throw outOfRange(`${name}[${ragged}] must have ${width} numbers, as ${name}[0], received ${rows[ragged]?.length}`);
  }
  const shape = checkExtents(axes === 1 ? [width] : [rows.length, width], axes, name);
  const values = rows.flat();
  const onDevice = (): AnyArray => xp.fromHost(Float64Array.from(values), { dtype: "float64", shape });
  return { shape, values, onDevice };
}

function checkedRow(value: unknown, name: string): readonly number[] {
  const row = checkList(value, name, "a list of numbers or a DeviceArray");
  return row.map((one, i) => checkNumber(one, `${name}[${i}]`, NaN));
}

function checkExtents(shape: readonly number[], axes: 1 | 2, name: string): readonly number[] {
  if (shape.length === axes && !shape.includes(0)) return shape;
  const expected = axes === 1 ? "one axis" : "two axes";
  throw outOfRange(`${name} must have ${expected} and at least one element, received shape [${shape.join()}]`);
}
