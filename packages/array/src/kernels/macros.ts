// Adds the type of imported OpenCL C files to each project that includes this file; an import cannot do that.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../opencl-files.d.ts" />
/** Macros that OpenCL C files depend on. */
import { computeType, loaded, stored, storedType } from "./compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";

/** Macros by name, with their parameters if they have some. */
export type Macros = Readonly<Record<string, string | number | boolean>>;

/** Returns the definitions of macros; of booleans as 1 and 0, which `#if` tests. Line breaks become spaces. */
export function macros(definitions: Macros): string {
  const lines = Object.entries(definitions).map(([name, value]) => {
    const text = typeof value === "boolean" ? Number(value) : String(value).replaceAll("\n", " ");
    return `#define ${name} ${text}\n`;
  });
  return generated(lines.join(""));
}

/** Returns OpenCL C that follows the text of a file, so that compilers do not report it as lines of that file. */
export function generated(text: string): string {
  return `#line 1 "generated"\n${text}`;
}

/** Returns the macros of elements: `T` and `STORED` are their types in variables and in memory, `R` that of real parts. */
export function elementMacros(dtype: DTypeName): Macros {
  return {
    T: computeType(dtype),
    R: computeType(realOf(dtype)),
    STORED: storedType(dtype),
    IS_COMPLEX: kindOf(dtype) === 4,
    "LOADED(array, i)": loaded(dtype, "array", "i"),
    "STORE(array, i, value)": stored(dtype, "array", "i", "value"),
  };
}
