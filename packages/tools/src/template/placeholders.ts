/** What may stand in the place of a placeholder, and what it becomes in the program. */
import { checkIdentifier, checkInteger, checkString, typeError } from "@cl/base";
import { type DType, dtype, type DTypeLike, type DTypeValue, StructType } from "@cl/core";

import { argumentExtensions, checkList, declareArguments } from "../arguments/parse-arguments.js";
import type { Argument } from "../arguments/parse-argument.js";
import { extensionsOf } from "../types/required-extensions.js";
import { checkType, type TypeRegistry } from "../types/type-registry.js";
import { literal } from "./literal.js";

/**
 * What a placeholder stands for:
 *
 * - `"type"`: an element type, which becomes its name in C;
 * - `"integer"`: a whole number;
 * - `"name"`: a name in C;
 * - `"arguments"`: a list of arguments, which becomes the parameters of a kernel;
 * - `"code"`: lines of OpenCL C;
 * - `{ value: type }`: a value of that type, which becomes a constant;
 * - a function of the values, which gives the code. Loops and conditions are written so, in JavaScript.
 */
export type Placeholder =
  | "type"
  | "integer"
  | "name"
  | "arguments"
  | "code"
  | { readonly value: DTypeLike }
  // oxlint-disable-next-line typescript/no-explicit-any -- its values follow from the other placeholders
  | ((values: any) => string);

/** The placeholders of a template, by name. */
export type Placeholders = Readonly<Record<string, Placeholder>>;

/** What a placeholder's value may be. */
export type ValueOf<P> = P extends "type"
  ? DTypeLike
  : P extends "integer"
    ? number | bigint
    : P extends "name" | "code"
      ? string
      : P extends "arguments"
        ? readonly Argument[]
        : P extends { readonly value: DTypeLike }
          ? DTypeValue
          : never;

/** The values that a template takes: one for each placeholder that is no function. */
export type TemplateValues<P extends Placeholders> = {
  readonly [K in keyof P as P[K] extends (...args: never[]) => unknown ? never : K]: ValueOf<P[K]>;
};

/** A value that has been checked: its text, what it needs, and what functions see of it. */
export interface Rendered {
  readonly text: string;
  readonly extensions: readonly string[];
  readonly structs: readonly StructType[];
  readonly value: unknown;
}

/** The text of a value; `name` is for errors. */
export function renderValue(
  placeholder: Exclude<Placeholder, (values: never) => string>,
  value: unknown,
  name: string,
  types: TypeRegistry,
): Rendered {
  switch (placeholder) {
    case "type": {
      const type = checkType(value as DTypeLike, name);
      const text = type instanceof StructType ? nameOf(type, types) : types.cName(type);
      return { text, extensions: extensionsOf(type, true), structs: structsOf(type), value: type };
    }
    case "integer":
      return plain(
        String(typeof value === "bigint" ? value : checkInteger(value, name, Number.MIN_SAFE_INTEGER)),
        value,
      );
    case "name":
      return plain(checkIdentifier(value, name), value);
    case "code":
      return plain(checkString(value, name), value);
    case "arguments": {
      const list = checkList(value, name);
      const structs = list.flatMap((one) => ("dtype" in one ? structsOf(one.dtype) : []));
      return { text: declareArguments(list), extensions: argumentExtensions(list), structs, value: list };
    }
    default:
      return {
        ...plain(constant(placeholder.value, value, name), value),
        extensions: extensionsOf(dtype(placeholder.value), false),
      };
  }
}

/** Checks what a template declares. */
export function checkPlaceholder(placeholder: unknown, name: string): void {
  if (typeof placeholder === "function" || (typeof placeholder === "string" && words.has(placeholder))) return;
  if (typeof placeholder === "object" && placeholder !== null && "value" in placeholder) {
    const type = checkType(placeholder.value as DTypeLike, `${name}.value`);
    if (type.kind === "struct") throw typeError(`${name}.value`, "a type that has constants in C", type);
    return;
  }
  throw typeError(name, '"type", "integer", "name", "arguments", "code", { value: type } or a function', placeholder);
}

const words: ReadonlySet<string> = new Set(["type", "integer", "name", "arguments", "code"]);

function plain(text: string, value: unknown): Rendered {
  return { text, extensions: [], structs: [], value };
}

function nameOf(type: StructType, types: TypeRegistry): string {
  return types.has(type.name) ? types.cName(types.dtype(type.name)) : type.cName;
}

function structsOf(type: DType): readonly StructType[] {
  return type instanceof StructType ? [type] : [];
}

function constant(type: DTypeLike, value: unknown, name: string): string {
  try {
    return literal(type, value as DTypeValue);
  } catch (error) {
    // The type's own words are about "value".
    if (error instanceof Error) error.message = error.message.replace(/^value/, name);
    throw error;
  }
}
