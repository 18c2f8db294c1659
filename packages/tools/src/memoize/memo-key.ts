/** Cache keys: strings that are equal if and only if the arguments are equivalent. */
import { typeError } from "@cl/base";
import { DType, MemoryType, Resource } from "@cl/core";

import { identityOf, type Identity } from "./identity.js";

/** Returns the key of a list of values, which errors call `name`. Trailing `undefined` values are ignored. */
export function memoKey(values: readonly unknown[], name: string): string {
  const significant = [...values];
  while (significant.length > 0 && significant.at(-1) === undefined) significant.pop();
  return significant.map((value, i) => keyOf(value, `${name}[${i}]`, [])).join(",");
}

/** Returns a self-delimiting key, so that different lists never have equal keys. */
function keyOf(value: unknown, name: string, inside: readonly object[]): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      return value === null ? "null" : objectKey(value, name, inside);
    case "function":
    case "symbol":
    default:
      throw refusal(name, value);
  }
}

function objectKey(value: object, name: string, inside: readonly object[]): string {
  if (value instanceof DType) return `dtype ${JSON.stringify(value.key)}`;
  if (value instanceof MemoryType) return `memory ${JSON.stringify(value.key)}`;
  if (value instanceof Resource) return `object ${numberOf(identityOf(value))}`;
  if (inside.includes(value)) throw typeError(name, "without circular references", value);
  const within = [...inside, value];
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, i) => keyOf(item, `${name}[${i}]`, within)).join(",")}]`;
  }
  if (hasMemoKey(value)) return `${value.constructor.name} ${JSON.stringify(value[memoKeyOf]())}`;
  if (!isPlain(value) || Object.getOwnPropertySymbols(value).length > 0) throw refusal(name, value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item, `${name}.${key}`, within)}`).join(",")}}`;
}

/** The method with which classes of this package define the equality of their objects. */
export const memoKeyOf: unique symbol = Symbol("memoKey");

function hasMemoKey(value: object): value is { [memoKeyOf](): string } {
  return memoKeyOf in value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

let last = 0;
const numbers = new WeakMap<Identity, number>();

/** Returns a number that is unique to the object. */
function numberOf(identity: Identity): number {
  let number = numbers.get(identity);
  if (number === undefined) {
    number = ++last;
    numbers.set(identity, number);
  }
  return number;
}

function refusal(name: string, value: unknown): TypeError {
  return typeError(
    name,
    "a number, string, boolean, bigint, DType or OpenCL object, or an array or plain object of these",
    value,
  );
}
