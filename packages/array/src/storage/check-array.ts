/** Validation of array arguments. */
import { outOfRange, typeError, wrongState, wrongType, wrongValue } from "@cl/base";
import type { TypedArray } from "@cl/core";
import { isTypedArray } from "../types/default-type.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { canStore } from "../types/promote.js";
import type { AnyArray, ArraySource } from "./array-ref.js";

/** An array of the same context as `xp`; `name` is the argument's. */
export function checkArray(value: unknown, xp: Pick<ArraySource, "queue">, name: string): AnyArray {
  if (!isArray(value)) throw typeError(name, "a DeviceArray", value);
  if (value.xp !== xp && !value.xp.queue.context.equals(xp.queue.context)) {
    throw wrongValue(`${name} must belong to the same context`);
  }
  return value;
}

/** By what it can do: the class itself needs what is checked here. */
export function isArray(value: unknown): value is AnyArray {
  return typeof value === "object" && value !== null && typeof (value as Partial<AnyArray>).operand === "function";
}

/** True for a list of host values: an array, which may be nested, or a typed array. */
export function isHostList(value: unknown): value is readonly unknown[] | TypedArray {
  return Array.isArray(value) || isTypedArray(value);
}

/** Throws for an array that may not be changed. */
export function checkWritable(array: AnyArray): void {
  if (array.readonly) {
    throw wrongState(`${String(array)} is read-only because several of its elements share memory; use copy()`);
  }
  const { storage } = array.operand();
  storage.computeReaders();
  storage.compute();
  if (!isPromised(array)) return;
  throw wrongState(
    `${String(array)} is still being read by a pending promise, such as that of at(mask); await it first`,
  );
}

/** True while a promise has yet to read the array, so that it may not be changed. */
export function isPromised(array: AnyArray): boolean {
  return array.operand().storage.ordering.isPromised;
}

/** The array for a result of this shape and type, which it can store; `what` gives the result. */
export function checkOut(
  value: AnyArray,
  xp: Pick<ArraySource, "queue">,
  shape: readonly number[],
  result: DTypeName,
  what: string,
): AnyArray {
  const out = checkArray(value, xp, "options.out");
  checkWritable(out);
  if (out.shape.length !== shape.length || String(out.shape) !== String(shape)) {
    throw outOfRange(`options.out must have the shape [${shape.join()}] of ${what}, received [${out.shape.join()}]`);
  }
  if (!canStore(result, out.dtype.name)) {
    throw wrongType(
      `options.out must be able to store the ${typeNamed(result).name} of ${what}, received ${out.dtype.name}`,
    );
  }
  return out;
}
