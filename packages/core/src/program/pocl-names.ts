/**
 * PoCL renames what is called like a built-in function of OpenCL C, through macros: `step` becomes `_cl_step`. This holds for
 * kernels, parameters and tags of structs. Names lose the prefix here, and native/objects/kernel.cc tries it when a kernel is not found.
 */
import type { Platform } from "../platform/platform.js";

/** True for PoCL's platform. */
export function isPocl({ name }: Pick<Platform, "name">): boolean {
  return name === "Portable Computing Language";
}

/** Returns the name as the source spells it. A name that `source` itself spells with the prefix keeps it. */
export function plainName(name: string, source?: string): string {
  if (!name.startsWith(prefix) || (source !== undefined && hasWord(source, name))) return name;
  return name.slice(prefix.length);
}

/** Returns a type with the names in it as the source spells them: `struct distance` for `struct _cl_distance`. */
export function plainType(text: string, source?: string): string {
  return text.includes(prefix) ? text.replace(/\b_cl_\w+/g, (name) => plainName(name, source)) : text;
}

const prefix = "_cl_";

function hasWord(source: string, word: string): boolean {
  return source.includes(word) && new RegExp(String.raw`\b${word.replaceAll("$", String.raw`\$`)}\b`).test(source);
}
