/**
 * Argument checks. Each one throws an error that names the argument, the expected value and the received value.
 */
import { inspect } from "node:util";

import { arrayTag, byteLengthOf, isView } from "../memory/array-access.js";

/** Describes a value briefly for error messages. Never throws, even if a getter or proxy trap of the value does. */
export function describe(value: unknown): string {
  try {
    return summarize(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}

function summarize(value: unknown): string {
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

/** Returns a TypeError with the code `ERR_INVALID_ARG_TYPE`: "`name` must be `expected`, received …". */
export function typeError(name: string, expected: string, value: unknown): TypeError {
  return wrongType(`${name} must be ${expected}, received ${describe(value)}`);
}

/** Returns a RangeError with the code `ERR_OUT_OF_RANGE`: "`name` must be `expected`, received …". */
export function rangeError(name: string, expected: string, value: unknown): RangeError {
  return outOfRange(`${name} must be ${expected}, received ${describe(value)}`);
}

/** Returns a TypeError for an argument of the wrong type, with a custom message. */
export function wrongType(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_INVALID_ARG_TYPE" });
}

/**
 * Returns a TypeError for an argument of the right type that is invalid here, alone or combined with another argument.
 */
export function wrongValue(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_INVALID_ARG_VALUE" });
}

/** Returns a TypeError for a call that the object's current state does not allow. */
export function wrongState(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_INVALID_STATE" });
}

/** Returns a TypeError for a class whose constructor cannot be called directly. */
export function illegalConstructor(sentence: string): TypeError {
  return Object.assign(new TypeError(sentence), { code: "ERR_ILLEGAL_CONSTRUCTOR" });
}

/** Returns a RangeError for a number, size or name out of range. `code` replaces the default `ERR_OUT_OF_RANGE`. */
export function outOfRange(sentence: string, options: ErrorOptions & { readonly code?: string } = {}): RangeError {
  const { code = "ERR_OUT_OF_RANGE", ...rest } = options;
  return Object.assign(new RangeError(sentence, rest), { code });
}

/** Returns a class or type name with its indefinite article: "an Image", "a Uint8Array". */
export function withArticle(name: string): string {
  return /^(?:[aeio]|svm)/i.test(name) ? `an ${name}` : `a ${name}`;
}

/** Returns the value if it is a safe integer in [min, max], otherwise throws. */
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

/** Returns the value if it is a string, otherwise throws. */
export function checkString(value: unknown, name: string): string {
  if (typeof value !== "string") throw typeError(name, "a string", value);
  return value;
}

/** Returns the value if it is a string without NUL characters, which would end it in C; otherwise throws. */
export function checkCString(value: unknown, name: string): string {
  if (checkString(value, name).includes("\0")) throw typeError(name, "a string without NUL characters", value);
  return value as string;
}

/**
 * Returns a copy of an array. Throws at the first hole: `map` would visit all holes, and an array of one element can
 * have a length of 2^32 - 1.
 */
export function checkList(value: unknown, name: string, expected: string): unknown[] {
  if (!Array.isArray(value)) throw typeError(name, expected, value);
  const source = value as readonly unknown[];
  const { length } = source;
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    if (!(i in source)) throw typeError(`${name}[${i}]`, "an element, not a hole in a sparse array", undefined);
    list.push(source[i]);
  }
  return list;
}

/** Returns the value if it is a function, otherwise throws. */
export function checkFunction<T extends (...args: never[]) => unknown>(value: T, name: string): T {
  if (typeof value !== "function") throw typeError(name, "a function", value);
  return value;
}

/**
 * Returns a plain object with any property names, or an empty one for `undefined`. Throws for arrays and instances of
 * classes.
 */
export function checkObject<T extends object>(value: T | undefined, name = "options"): T {
  if (value === undefined) return {} as T;
  if (typeof value !== "object" || value === null || !isPlain(value)) throw typeError(name, "an object", value);
  return value;
}

/**
 * Accepts objects of other realms by their constructor's name; checks this realm's `Object.prototype` first, which is
 * faster.
 */
function isPlain(value: object): boolean {
  if (Object.getPrototypeOf(value) === Object.prototype) return true;
  const constructor: unknown = value.constructor;
  return constructor === undefined || (typeof constructor === "function" && constructor.name === "Object");
}

/** Returns a boolean, or the default for `undefined`; otherwise throws. */
export function checkBoolean(value: unknown, name: string, defaultValue: boolean): boolean {
  if (value === undefined) return defaultValue;
  if (typeof value !== "boolean") throw typeError(name, "true or false", value);
  return value;
}

/** Returns the value if it is an instance of the class, otherwise throws. */
export function checkInstance<T>(value: unknown, type: abstract new (...args: never[]) => T, name: string): T {
  if (value instanceof type) return value;
  const [own, other] = [copyOf(type), copyOf((value as object | null | undefined)?.constructor)];
  if (own === undefined || other === undefined || own === other) throw typeError(name, withArticle(type.name), value);
  throw wrongType(`${name} must be ${withArticle(type.name)} of ${own}, received an instance of the copy ${other}`);
}

/** The name of a static property of classes: the URL of their copy of the package. */
export const copyKey: unique symbol = Symbol.for("@cl/copy") as never;

function copyOf(type: unknown): string | undefined {
  return typeof type === "function" ? (type as { readonly [copyKey]?: string })[copyKey] : undefined;
}

/** Returns an AbortSignal or `undefined`, otherwise throws. */
export function checkSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw typeError("signal", "an AbortSignal", value);
}

/** Returns a 64-bit address as a bigint, otherwise throws. */
export function checkPointer(value: unknown, name = "pointer"): bigint {
  if (typeof value !== "bigint") throw typeError(name, "a bigint", value);
  if (BigInt.asUintN(64, value) !== value) throw rangeError(name, "a 64-bit address", value);
  return value;
}

/** Returns a bit field of at most 53 bits, otherwise throws. */
export function checkFlags(value: unknown, name: string): number {
  return checkInteger(value, name);
}
