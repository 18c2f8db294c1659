/** Kinds of placeholders, and how their values are rendered in the program. */
import { checkIdentifier, checkInteger, checkString, typeError } from "@cl/base";
import { type DType, dtype, type DTypeLike, type DTypeValue, StructType } from "@cl/core";

import { argumentExtensions, checkList, declareArguments } from "../arguments/parse-arguments.js";
import type { Argument } from "../arguments/parse-argument.js";
import { extensionsOf } from "../types/required-extensions.js";
import { checkType, type TypeRegistry } from "../types/type-registry.js";
import { literal } from "./literal.js";

/**
 * The kind of a placeholder:
 *
 * - `"type"`: an element type, rendered as its name in C;
 * - `"integer"`: an integer;
 * - `"name"`: a C identifier;
 * - `"arguments"`: a list of arguments, rendered as kernel parameters;
 * - `"code"`: OpenCL C code;
 * - `{ value: type }`: a value of that type, rendered as a literal;
 * - a function of the values that returns code, for loops and conditions.
 */
export type Placeholder =
  | "type"
  | "integer"
  | "name"
  | "arguments"
  | "code"
  | { readonly value: DTypeLike }
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of the values depends on the other placeholders
  | ((values: any) => string);

/** The placeholders of a template, by name. */
export type Placeholders = Readonly<Record<string, Placeholder>>;

/** Type of a placeholder's value. */
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

/** The values of a template: one for each placeholder that is not a function. */
export type TemplateValues<P extends Placeholders> = {
  readonly [K in keyof P as P[K] extends (...args: never[]) => unknown ? never : K]: ValueOf<P[K]>;
};

/** A checked value: its text, required extensions and structs, and the value passed to functions. */
export interface Rendered {
  readonly text: string;
  readonly extensions: readonly string[];
  readonly structs: readonly StructType[];
  readonly value: unknown;
}

/** Checks and renders a value. Errors call it `name`. */
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
      const structs = list.flatMap((argument) => ("dtype" in argument ? structsOf(argument.dtype) : []));
      return { text: declareArguments(list), extensions: argumentExtensions(list), structs, value: list };
    }
    default:
      return {
        ...plain(constant(placeholder.value, value, name), value),
        extensions: extensionsOf(dtype(placeholder.value), false),
      };
  }
}

/** Throws unless the value is a valid placeholder. */
export function checkPlaceholder(placeholder: unknown, name: string): void {
  if (typeof placeholder === "function" || (typeof placeholder === "string" && placeholderKinds.has(placeholder))) {
    return;
  }
  if (typeof placeholder === "object" && placeholder !== null && "value" in placeholder) {
    const type = checkType(placeholder.value as DTypeLike, `${name}.value`);
    if (type.kind === "struct") throw typeError(`${name}.value`, "a number, boolean, vector or complex type", type);
    return;
  }
  throw typeError(name, '"type", "integer", "name", "arguments", "code", { value: type } or a function', placeholder);
}

const placeholderKinds: ReadonlySet<string> = new Set(["type", "integer", "name", "arguments", "code"]);

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
    // Errors of `literal` call the argument "value".
    if (error instanceof Error) error.message = error.message.replace(/^value/, name);
    throw error;
  }
}
