/** Checks of arrays that are arguments. */
import { typeError, wrongState, wrongValue } from "@cl/core/checks";
import type { AnyArray } from "./any-array.js";
import type { Arrays } from "./arrays.js";

/** An array of the same context as `xp`; `name` is the argument's. */
export function checkArray(value: unknown, xp: Arrays, name: string): AnyArray {
  if (!isArray(value)) throw typeError(name, "a DeviceArray", value);
  if (value.xp !== xp && !value.xp.queue.context.equals(xp.queue.context)) {
    throw wrongValue(`${name} belongs to another context`);
  }
  return value;
}

/** By what it can do: the class itself needs what is checked here. */
function isArray(value: unknown): value is AnyArray {
  return typeof value === "object" && value !== null && typeof (value as Partial<AnyArray>).operand === "function";
}

/** Throws for an array that may not be changed. */
export function checkWritable(array: AnyArray): void {
  if (!array.readonly) return;
  throw wrongState(`${String(array)} shows the same memory several times, so that it can only be read`);
}
