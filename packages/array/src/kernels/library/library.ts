/** Library functions that a program needs, found by their names in its source. A name ends in the type it is for. */
import complex from "./complex-functions.cl";
import float from "./float-functions.cl";
import { functionsOf } from "./functions-of.js";
import integer from "./integer-functions.cl";
import signedInteger from "./signed-functions.cl";
import { withCoefficients } from "./special/polynomials.js";
import { specialFunctions } from "./special/special-functions.js";
import unsignedInteger from "./unsigned-functions.cl";

const complexFunctions = functionsOf(complex);
const floatFunctions = functionsOf(float);
const integerFunctions = functionsOf(integer);
const signedFunctions = functionsOf(signedInteger);
const unsignedFunctions = functionsOf(unsignedInteger);

const widths = { char: 8, short: 16, int: 32, long: 64 } as const;
const calls = /\b([a-z]\w*?)_(float|double|half|u?(?:char|short|int|long))\(/g;

/** The definitions of all functions of the library that a text calls, each after those that it calls itself. */
export function libraryFor(text: string): string {
  const found = new Map<string, string>();
  const search = (code: string): void => {
    for (const [, name = "", type = ""] of code.matchAll(calls)) {
      const full = `${name}_${type}`;
      if (found.has(full)) continue;
      const definition = definitionOf(name, type);
      if (definition === undefined) continue;
      // A function names itself in its own definition.
      found.set(full, "");
      search(definition);
      found.delete(full);
      found.set(full, definition);
    }
  };
  search(text);
  return [...found.values()].join("\n");
}

function definitionOf(name: string, type: string): string | undefined {
  if (type === "half") return floatFunctions[`${name}_half`];
  if (type === "float" || type === "double") {
    const text = floatFunctions[name] ?? complexFunctions[name] ?? specialFunctions[name];
    if (text === undefined) return undefined;
    return withCoefficients(text, type)
      .replaceAll(/\bT_(?=MAX|MIN|EPSILON)/g, type === "float" ? "FLT_" : "DBL_")
      .replaceAll(/\bT\b|(?<=_)T\b/g, type)
      .replaceAll(/\bC\b/g, `${type}2`)
      .replaceAll(/\bL\(([^)]*)\)/g, type === "float" ? "$1f" : "$1");
  }
  const signed = type.replace(/^u/, "");
  const text = integerFunctions[name] ?? (type === signed ? signedFunctions : unsignedFunctions)[name];
  const width = widths[signed as keyof typeof widths];
  return text
    ?.replaceAll(/\bT\b|(?<=_)T\b/g, type)
    .replaceAll(/\bU\b/g, `u${signed}`)
    .replaceAll(/\bP\b/g, width === 64 ? "ulong" : "uint")
    .replaceAll(/\bWIDTH\b/g, String(width));
}
