/**
 * Argument checks. Each one throws an error that names the argument, the expected value and the received value.
 */
import { inspect } from "node:util";

import { arrayTag, byteLengthOf, isView } from "../memory/array-access.js";

/** A value in a few words, for error messages. Never throws, whatever the getters and traps of the value do. */
export function describe(value: unknown): string {
  try {
    return words(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}

function words(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "function") return `function ${value.name || "(anonymous)"}`;
  if (typeof value === "object") {
    const name = value.constructor?.name;
    if (isView(value)) return `${name ?? arrayTag(value) ?? "a view"} of ${byteLengthOf(value)} bytes`;
    return name === undefined || name === "Object" || name === "Array"
      ? inspect(value, { depth: 0, breakLength: Infinity }).slice(0, 80)
      : `an instance of ${name}`;
  }
  return `${typeof value} ${inspect(value).slice(0, 80)}`;
}

/** A TypeError with Node's code. */
export function typeError(name: string, expected: string, value: unknown): TypeError {
  return wrongType(`${name} must be ${expected}, received ${describe(value)}`);
}

/** A RangeError with Node's code. */
export function rangeError(name: string, expected: string, value: unknown): RangeError {
  return outOfRange(`${name} must be ${expected}, received ${describe(value)}`);
}

/** For an argument of a wrong kind that needs a sentence of its own. */
export function wrongType(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_INVALID_ARG_TYPE" });
}

/** For an argument that is of the right kind but cannot be used here, alone or beside another one. */
export function wrongValue(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_INVALID_ARG_VALUE" });
}

/** For a call that the object cannot answer as it is now, whatever the arguments. */
export function wrongState(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_INVALID_STATE" });
}

/** For a class whose objects come from somewhere else. */
export function illegalConstructor(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_ILLEGAL_CONSTRUCTOR" });
}

/** For a number, a size or a name beyond what there is; with a code of our own where programs may want to tell it apart. */
export function outOfRange(sentence: string, options: ErrorOptions & { readonly code?: string } = {}): RangeError {
  const { code = "ERR_OUT_OF_RANGE", ...rest } = options;
  return Object.assign(new RangeError(sentence, rest), { code });
}

/** A safe integer of at least `min` and at most `max`. */
export function checkInteger(value: unknown, name: string, min = 0, max: number = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== "number") throw typeError(name, "an integer", value);
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw rangeError(
      name,
      max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
      value,
    );
  }
  return value;
}

/** A string. */
export function checkString(value: unknown, name: string): string {
  if (typeof value !== "string") throw typeError(name, "a string", value);
  return value;
}

/** A string that C can take: one without a NUL inside. */
export function checkCString(value: unknown, name: string): string {
  if (checkString(value, name).includes("\0")) throw typeError(name, "a string without NUL characters", value);
  return value as string;
}

/**
 * A copy of a list without holes. It throws at the first hole, where `map` would walk over all of them: an array of one
 * element may be 2^32 - 1 long.
 */
export function checkList(value: unknown, name: string, expected: string): unknown[] {
  if (!Array.isArray(value)) throw typeError(name, expected, value);
  const given = value as readonly unknown[];
  const { length } = given;
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    if (!(i in given)) throw typeError(`${name}[${i}]`, "given, since lists have no holes", undefined);
    list.push(given[i]);
  }
  return list;
}

/** A function. */
export function checkFunction<T extends (...args: never[]) => unknown>(value: T, name: string): T {
  if (typeof value !== "function") throw typeError(name, "a function", value);
  return value;
}

/** An object whose names are for its user to choose, or nothing. Arrays and other classes are mistakes. */
export function checkObject<T extends object>(value: T | undefined, name = "options"): T {
  if (value === undefined) return {} as T;
  if (typeof value !== "object" || value === null || !isPlain(value)) throw typeError(name, "an object", value);
  return value;
}

/** By the constructor's name, since objects of other realms have another `Object`; which of ours is seen sooner. */
function isPlain(value: object): boolean {
  if (Object.getPrototypeOf(value) === Object.prototype) return true;
  const constructor: unknown = value.constructor;
  return constructor === undefined || (typeof constructor === "function" && constructor.name === "Object");
}

/** True or false; what is left out is `missing`. */
export function checkBoolean(value: unknown, name: string, missing: boolean): boolean {
  if (value === undefined) return missing;
  if (typeof value !== "boolean") throw typeError(name, "true or false", value);
  return value;
}

/** An instance of a class of ours. */
export function checkInstance<T>(value: unknown, type: abstract new (...args: never[]) => T, name: string): T {
  if (!(value instanceof type)) throw typeError(name, `a ${type.name}`, value);
  return value;
}

/** An AbortSignal, or nothing. */
export function checkSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw typeError("signal", "an AbortSignal", value);
}

/** An address, as OpenCL objects give it. */
export function checkPointer(value: unknown, name = "pointer"): bigint {
  if (typeof value !== "bigint") throw typeError(name, "a bigint", value);
  if (BigInt.asUintN(64, value) !== value) throw rangeError(name, "an address of 64 bits", value);
  return value;
}

/** A bit field that fits a double exactly. */
export function checkFlags(value: unknown, name: string): number {
  return checkInteger(value, name);
}
