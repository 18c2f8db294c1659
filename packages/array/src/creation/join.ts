/** Concatenation and stacking of arrays, into new memory. */
import { checkList, checkOptions, outOfRange } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { checkArray, checkOut } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import type { OutOptions } from "../storage/operand-like.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { promote } from "../types/promote.js";
import { checkAxis } from "../shapes/check-axes.js";

/** The dtype of joined arrays; without it, the promoted dtype of all arrays. */
export interface JoinDTypeOptions<D extends DTypeName> {
  /** Dtype of the result; values are converted as by `astype`. */
  readonly dtype: D | TypedDType<D>;
}

/** Options of `stack`. */
export interface StackOptions extends OutOptions {
  /**
   * Position of the new axis in the result.
   * @defaultValue 0
   */
  readonly axis?: number;
}

/** Options of `concatenate`. */
export interface ConcatenateOptions extends OutOptions {
  /**
   * The axis to join along; `null` flattens the arrays first.
   * @defaultValue 0
   */
  readonly axis?: number | null;
}

/** Joins arrays along an existing axis; the other extents must be equal. */
export function concatenate(
  xp: ArraySource,
  arrays: readonly AnyArray[],
  options?: ConcatenateOptions & Partial<JoinDTypeOptions<DTypeName>>,
): AnyArray {
  const list = checkArrays(xp, arrays);
  const { axis = 0, ...place } = checkOptions(options, ["axis", "out", "dtype"]);
  if (axis === null) return flattened(xp, list, place);
  const [first] = list as readonly [ArrayRef];
  if (first.ndim === 0) throw outOfRange("arrays[0] must have at least one axis; use stack()");
  const along = checkAxis(axis, first.ndim, "options.axis");
  for (const [i, { shape }] of list.entries()) {
    if (shape.length === first.ndim && shape.every((extent, k) => k === along || extent === first.shape[k])) continue;
    throw outOfRange(
      `arrays[${i}] must have the shape of arrays[0], [${first.shape.join()}], except along axis ${along}, received [${shape.join()}]`,
    );
  }
  const total = list.reduce((sum, { shape }) => sum + (shape[along] as number), 0);
  return joined(xp, list, first.shape.with(along, total), place, "concatenate", (target) => {
    const before = Array.from({ length: along }, () => ":");
    let at = 0;
    for (const array of list) {
      const end = at + (array.shape[along] as number);
      using part = target.slice(...before, [at, end]);
      assign(part, array);
      at = end;
    }
  });
}

/** Joins arrays of one shape along a new axis. */
export function stack(
  xp: ArraySource,
  arrays: readonly AnyArray[],
  options?: StackOptions & Partial<JoinDTypeOptions<DTypeName>>,
): AnyArray {
  const list = checkArrays(xp, arrays);
  const [{ shape }] = list as readonly [ArrayRef];
  const { axis: wanted = 0, ...place } = checkOptions(options, ["axis", "out", "dtype"]);
  const axis = checkAxis(wanted, shape.length + 1, "options.axis");
  for (const [i, one] of list.entries()) {
    if (String(one.shape) === String(shape) && one.ndim === shape.length) continue;
    throw outOfRange(
      `arrays[${i}] must have the shape of arrays[0], [${shape.join()}], received [${one.shape.join()}]`,
    );
  }
  return joined(xp, list, shape.toSpliced(axis, 0, list.length), place, "stack", (target) => {
    const before = Array.from({ length: axis }, () => ":");
    for (const [i, array] of list.entries()) {
      using part = target.slice(...before, i);
      assign(part, array);
    }
  });
}

function flattened(
  xp: ArraySource,
  list: readonly ArrayRef[],
  place: OutOptions & Partial<JoinDTypeOptions<DTypeName>>,
): ArrayRef {
  const total = list.reduce((sum, { size }) => sum + size, 0);
  return joined(xp, list, [total], place, "concatenate", (target) => {
    let at = 0;
    for (const array of list) {
      // One axis can be seen under any shape, which an array of gaps cannot.
      using line = target.slice([at, at + array.size]);
      using part = line.reshape(array.shape);
      assign(part, array);
      at += array.size;
    }
  });
}

export function joined(
  xp: ArraySource,
  list: readonly AnyArray[],
  shape: readonly number[],
  { dtype, out }: OutOptions & Partial<JoinDTypeOptions<DTypeName>>,
  what: string,
  fill: (target: ArrayRef) => void,
): ArrayRef {
  const common = list.map((array): DTypeName => array.dtype.name).reduce(promote);
  const type = dtype === undefined ? common : checkArrayType(dtype, "options.dtype").name;
  if (out === undefined) return filled(xp.empty(shape, { dtype: type }), fill);
  const target = checkOut(out, xp, shape, type, what);
  // Storing one part must not change those that are still to be read.
  const { storage } = target.operand();
  if (!list.some((array) => array.operand().storage.meets(storage))) {
    fill(target);
    return target;
  }
  using temporary = filled(xp.empty(shape, { dtype: target.dtype.name }), fill);
  assign(target, temporary);
  return target;
}

/** Checks a list of at least one array. */
export function checkArrays(xp: ArraySource, arrays: readonly AnyArray[], name = "arrays"): readonly ArrayRef[] {
  const list = checkList(arrays, name, "an array of DeviceArrays");
  if (list.length === 0) throw outOfRange(`${name} must have at least one array`);
  return list.map((array, i) => checkArray(array as AnyArray, xp, `${name}[${i}]`));
}
