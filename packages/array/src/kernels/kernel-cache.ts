/** The cache of the programs of a context, by everything that their source depends on. */
import { OwnerCache } from "@cl/base";
import type { CompilerOptions, Context } from "@cl/core";

import { type GeneratedKernel, GeneratedProgram, type ProgramText } from "./generated-program.js";

/** Programs by context and key. */
export type ProgramCache = OwnerCache<Context, GeneratedProgram>;

/** The programs that all arrays of a context share. */
export const sharedPrograms: ProgramCache = new OwnerCache();

/** Returns the program of a key. */
export function programOf(
  context: Context,
  key: string,
  text: () => ProgramText,
  cache: ProgramCache = sharedPrograms,
): GeneratedProgram {
  return cache.get(context, key, () => new GeneratedProgram(context, text()));
}

/** Returns a kernel of the program of a key. The program is built once for all of its kernels. */
export function kernelOf(
  context: Context,
  key: string,
  name: string,
  source: () => string,
  options?: () => CompilerOptions,
): GeneratedKernel {
  const text = (): ProgramText => ({ source, label: `the kernel ${name} of arrays`, options: options?.() });
  return programOf(context, key, text).kernel(name);
}
