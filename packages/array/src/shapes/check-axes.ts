/** Validation of axis arguments; negative axes count from the last. */
import { checkInteger, checkList, outOfRange } from "@cl/base";

/** An integer, or a list of them. */
export function checkIntegers(value: unknown, name: string, min: number = Number.MIN_SAFE_INTEGER): readonly number[] {
  if (typeof value === "number") return [checkInteger(value, name, min)];
  const list = checkList(value, name, "an integer or a list of integers");
  return list.map((one, i) => checkInteger(one, `${name}[${i}]`, min));
}

/** One axis of `ndim`, counted from the first. */
export function checkAxis(axis: unknown, ndim: number, name: string): number {
  if (ndim === 0) throw outOfRange(`${name} must be omitted for an array without axes, received ${String(axis)}`);
  const value = checkInteger(axis, name, -ndim, ndim - 1);
  return value < 0 ? value + ndim : value;
}

/** One axis or several, none of them twice. */
export function checkAxes(axes: unknown, ndim: number, name: string): readonly number[] {
  if (!Array.isArray(axes)) return [checkAxis(axes, ndim, name)];
  const list = checkList(axes, name, "a list of axes").map((axis, i) => checkAxis(axis, ndim, `${name}[${i}]`));
  if (new Set(list).size !== list.length) {
    throw outOfRange(`${name} must not repeat an axis, received [${axes.join()}]`);
  }
  return list;
}
