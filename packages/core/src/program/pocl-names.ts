/**
 * PoCL renames kernels, parameters and struct tags that are called like an OpenCL C built-in function, through macros:
 * `step` becomes `_cl_step`. This module removes the prefix; native/objects/kernel.cc adds it if a kernel is not found.
 */

/** Returns the name as spelled in the source. Keeps the prefix if `source` contains the name with it. */
export function plainName(name: string, source?: string): string {
  if (!name.startsWith(prefix) || (source !== undefined && hasWord(source, name))) return name;
  return name.slice(prefix.length);
}

/** Returns a type with its names as spelled in the source: `struct distance` for `struct _cl_distance`. */
export function plainType(text: string, source?: string): string {
  return text.includes(prefix) ? text.replace(/\b_cl_\w+/g, (name) => plainName(name, source)) : text;
}

const prefix = "_cl_";

function hasWord(source: string, word: string): boolean {
  return source.includes(word) && new RegExp(String.raw`\b${word.replaceAll("$", String.raw`\$`)}\b`).test(source);
}
