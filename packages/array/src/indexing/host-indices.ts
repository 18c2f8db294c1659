/** Host indices: flattened, and checked against their axis. */
import { maxAxes, outOfRange, typeError } from "@cl/base";

/** Integers of the host, or booleans. */
export interface HostNumbers {
  readonly shape: readonly number[];
  readonly values: readonly number[];
  readonly boolean: boolean;
}

/** The numbers in a typed array or in nested arrays. */
export function hostNumbers(value: unknown, name: string): HostNumbers {
  if (!Array.isArray(value)) {
    const typed = value as ArrayLike<number | bigint>;
    return { shape: [typed.length], values: Array.from(typed, (one) => integer(one, name)), boolean: false };
  }
  const shape: number[] = [];
  let first: unknown = value;
  while (Array.isArray(first)) {
    if (shape.push(first.length) > maxAxes) throw typeError(name, `arrays nested at most ${maxAxes} deep`, value);
    first = (first as readonly unknown[])[0];
  }
  const boolean = typeof first === "boolean";
  const values: number[] = [];
  const walk = (part: unknown, axis: number, words: string): void => {
    if (axis === shape.length) {
      if (boolean !== (typeof part === "boolean")) throw typeError(words, boolean ? "a boolean" : "an integer", part);
      values.push(boolean ? Number(part) : integer(part, words));
      return;
    }
    if (!Array.isArray(part) || part.length !== shape[axis]) {
      throw typeError(words, `an array of length ${shape[axis] as number}, as its siblings are`, part);
    }
    for (const [i, one] of part.entries()) walk(one, axis + 1, `${words}[${i}]`);
  };
  walk(value, 0, name);
  return { shape, values, boolean };
}

function integer(value: unknown, name: string): number {
  if (value === null) {
    throw outOfRange(`${name} must be an integer, received null; write slices as text, such as "1:"`);
  }
  // Integers of 64 bits that a double does not hold are beyond every axis, and stay so.
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) throw typeError(name, "an integer", value);
  return number;
}

/** Where the booleans are true, counted in C order. */
export function truePlaces({ values }: HostNumbers): readonly number[] {
  return values.flatMap((value, i) => (value === 0 ? [] : [i]));
}

/** How many numbers a shape has of others, in words, if it has not as many. */
export function maskSentence(mask: readonly number[], shape: readonly number[], axis: number): string {
  return `a mask must have the extents of the axes it indexes, received shape [${mask.join()}] for the axes from ${axis} of the shape [${shape.join()}]`;
}

/** Typed for the device; 32 bits if they hold all. */
export function packed(values: readonly number[], limit: number): Int32Array | BigInt64Array {
  return limit < 2 ** 31 ? Int32Array.from(values) : BigInt64Array.from(values, BigInt);
}
