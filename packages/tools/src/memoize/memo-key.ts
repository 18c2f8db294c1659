/** Arguments as a string, which is the same for arguments that mean the same and for no others. */
import { typeError } from "@cl/base";
import { DType, MemoryType, Resource } from "@cl/core";

import { identityOf, type Identity } from "./identity.js";

/** The key of some values; `name` is the list's, for errors. Undefined values at the end are as good as none. */
export function memoKey(values: readonly unknown[], name: string): string {
  const all = [...values];
  while (all.length > 0 && all.at(-1) === undefined) all.pop();
  return all.map((value, i) => keyOf(value, `${name}[${i}]`, [])).join(",");
}

/** Each part says where it ends, so that no two lists run together to one string. */
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
  if (inside.includes(value)) throw typeError(name, "without circles: it contains itself", value);
  const within = [...inside, value];
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, i) => keyOf(item, `${name}[${i}]`, within)).join(",")}]`;
  }
  if (hasMemoKey(value)) return `${value.constructor.name} ${JSON.stringify(value[memoKeyOf]())}`;
  if (!isPlain(value) || Object.getOwnPropertySymbols(value).length > 0) throw refusal(name, value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item, `${name}.${key}`, within)}`).join(",")}}`;
}

/** How classes of this package say what makes two of their objects the same. */
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

/** A number that no other object will ever have. */
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
    "something to remember results by: a number, a string, a boolean, a bigint, a DType, an OpenCL object, or an array or a plain object of these",
    value,
  );
}
