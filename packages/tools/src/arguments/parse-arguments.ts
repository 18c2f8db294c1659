/** Lists of arguments: read from text, written into kernels, and filled with values. */
import { checkString, splitParameters, typeError } from "@cl/base";
import { type DeclaredType, type KernelArgument, kernelArgument, MemoryObject, SvmPointer } from "@cl/core";

import { ArgumentBase } from "./argument.js";
import { type Argument, describe, type ParseArgumentOptions, readParseOptions } from "./parse-argument.js";

/**
 * Describes a list of arguments: as a kernel declares them, separated by commas, or as an array of declarations and
 * descriptions. Descriptions stay what they are.
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
  const reading = readParseOptions(options);
  const items = typeof list === "string" ? split(list) : list;
  if (!Array.isArray(items)) throw typeError("list", "declarations separated by commas, or an array of them", list);
  const described = items.map((item: unknown, i) => {
    const name = `list[${i}]`;
    if (item instanceof ArgumentBase) return item as Argument;
    return describe(checkString(item, name), name, reading);
  });
  checkNames(described, "list");
  return Object.freeze(described);
}

/** The parameters of a kernel with these arguments, in OpenCL C. */
export function declareArguments(list: readonly Argument[]): string {
  return checkList(list)
    .map(({ declaration }) => declaration)
    .join(", ");
}

/** The lines with which such a kernel begins, one for each pointer that has an offset. */
export function offsetCode(list: readonly Argument[]): string {
  return checkList(list)
    .map((argument) => argument.offsetCode)
    .filter((line) => line !== "")
    .join("\n");
}

/** The types of the kernel's parameters, for `kernel.argTypes`. */
export function argumentTypes(list: readonly Argument[]): readonly DeclaredType[] {
  return checkList(list).flatMap(({ argTypes }) => argTypes);
}

/** The extensions that a device must have for the arguments, each once. */
export function argumentExtensions(list: readonly Argument[]): readonly string[] {
  return [...new Set(checkList(list).flatMap(({ extensions }) => extensions))];
}

/**
 * What a kernel with these arguments takes for some values: for a pointer with an offset the memory that a value lies in,
 * and where.
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
    throw typeError("values", `an array of ${list.length}, one for each argument`, values);
  }
  return list.flatMap((argument, i) => {
    const value: unknown = values[i];
    if (argument.kind !== "vector" || !argument.withOffset) return [value];
    return placeOf(value, `values[${i}] for "${argument.name}"`);
  });
}

/** Memory and the offset in it. */
function placeOf(value: unknown, name: string): [unknown, bigint] {
  if (value === null || value instanceof MemoryObject || value instanceof SvmPointer) return [value, 0n];
  if (typeof value === "object" && value !== undefined && kernelArgument in value) {
    const place = (value as KernelArgument)[kernelArgument]();
    if ("memory" in place) return [place.memory, BigInt(place.byteOffset ?? 0)];
  }
  throw typeError(name, "a buffer, shared memory, or something that lies in one, such as a view", value);
}

function split(text: string): string[] {
  const list = splitParameters(text);
  return list.length === 1 && list[0] === "void" ? [] : list;
}

function checkNames(list: readonly Argument[], name: string): void {
  list.forEach((argument, i) => {
    const first = list.findIndex((other) => other.name === argument.name);
    if (first < i) {
      throw typeError(`${name}[${i}]`, `another name than ${name}[${first}], "${argument.name}"`, argument);
    }
  });
}

/** A list of descriptions with different names. */
export function checkList(list: unknown, name = "list"): readonly Argument[] {
  if (!Array.isArray(list)) throw typeError(name, "an array of arguments, as parseArguments gives", list);
  list.forEach((argument: unknown, i) => {
    if (!(argument instanceof ArgumentBase)) {
      throw typeError(`${name}[${i}]`, "an argument, as parseArgument gives", argument);
    }
  });
  checkNames(list as readonly Argument[], name);
  return list as readonly Argument[];
}
