/** Argument lists: parsing, declarations in kernels, and kernel arguments for values. */
import { checkString, splitParameters, typeError } from "@cl/base";
import { type DeclaredType, type KernelArgument, kernelArgument, MemoryObject, SvmPointer } from "@cl/core";

import { ArgumentBase } from "./argument.js";
import { type Argument, argumentOf, checkParseOptions, type ParseArgumentOptions } from "./parse-argument.js";

/**
 * Parses a list of arguments: a kernel's parameter list, or an array of declarations and descriptions. Descriptions are
 * returned unchanged.
 *
 * @example
 * ```ts
 * const list = parseArguments("float a, __global const float *x, __global float *y", { withOffset: true });
 * console.log(list.map(({ kind }) => kind)); // [ 'scalar', 'vector', 'vector' ]
 * ```
 */
export function parseArguments(
  list: string | readonly (string | Argument)[],
  options?: ParseArgumentOptions,
): readonly Argument[] {
  const checked = checkParseOptions(options);
  const items = typeof list === "string" ? split(list) : list;
  if (!Array.isArray(items)) throw typeError("list", "declarations separated by commas, or an array of them", list);
  const described = items.map((item: unknown, i) => {
    const name = `list[${i}]`;
    if (item instanceof ArgumentBase) return item as Argument;
    return argumentOf(checkString(item, name), name, checked);
  });
  checkNames(described, "list");
  return Object.freeze(described);
}

/** Returns the parameter list of a kernel with these arguments, in OpenCL C. */
export function declareArguments(list: readonly Argument[]): string {
  return checkList(list)
    .map(({ declaration }) => declaration)
    .join(", ");
}

/** Returns the code that such a kernel must begin with: one line for each pointer with an offset. */
export function offsetCode(list: readonly Argument[]): string {
  return checkList(list)
    .map((argument) => argument.offsetCode)
    .filter((line) => line !== "")
    .join("\n");
}

/** Returns the types of the kernel's parameters, for `kernel.argTypes`. */
export function argumentTypes(list: readonly Argument[]): readonly DeclaredType[] {
  return checkList(list).flatMap(({ argTypes }) => argTypes);
}

/** Returns the device extensions that the arguments require, without duplicates. */
export function argumentExtensions(list: readonly Argument[]): readonly string[] {
  return [...new Set(checkList(list).flatMap(({ extensions }) => extensions))];
}

/**
 * Returns the kernel arguments for some values. For a pointer with an offset, these are the memory of the value and its
 * byte offset.
 *
 * @example
 * ```ts
 * const list = parseArguments("__global float *x, float a", { withOffset: true });
 * const values = argumentValues(list, [x, 2]);
 * console.log(values.length, values[1]); // 3 0n
 * ```
 */
export function argumentValues(list: readonly Argument[], values: readonly unknown[]): readonly unknown[] {
  checkList(list);
  if (!Array.isArray(values)) throw typeError("values", "an array", values);
  if (values.length !== list.length) {
    throw typeError("values", `an array of ${list.length} values, one per argument`, values);
  }
  return list.flatMap((argument, i) => {
    const value: unknown = values[i];
    if (argument.kind !== "vector" || !argument.withOffset) return [value];
    return placeOf(value, `values[${i}] for "${argument.name}"`);
  });
}

/** Returns the memory of a value and its byte offset. */
function placeOf(value: unknown, name: string): [unknown, bigint] {
  if (value === null || value instanceof MemoryObject || value instanceof SvmPointer) return [value, 0n];
  if (typeof value === "object" && value !== undefined && kernelArgument in value) {
    const place = (value as KernelArgument)[kernelArgument]();
    if ("memory" in place) return [place.memory, BigInt(place.byteOffset ?? 0)];
  }
  throw typeError(name, "a buffer, shared virtual memory, or a view of either", value);
}

function split(text: string): string[] {
  const list = splitParameters(text);
  return list.length === 1 && list[0] === "void" ? [] : list;
}

function checkNames(list: readonly Argument[], name: string): void {
  list.forEach((argument, i) => {
    const first = list.findIndex((other) => other.name === argument.name);
    if (first < i) {
      throw typeError(`${name}[${i}]`, `named differently from ${name}[${first}], "${argument.name}"`, argument);
    }
  });
}

/** Returns a list of descriptions. Throws for other values and for duplicate names. */
export function checkList(list: unknown, name = "list"): readonly Argument[] {
  if (!Array.isArray(list)) throw typeError(name, "an array of arguments from parseArguments", list);
  list.forEach((argument: unknown, i) => {
    if (!(argument instanceof ArgumentBase)) {
      throw typeError(`${name}[${i}]`, "an argument from parseArgument", argument);
    }
  });
  checkNames(list as readonly Argument[], name);
  return list as readonly Argument[];
}
