/** A cache of the kernels of a context, by everything that their source depends on. */
import { OwnerCache } from "@cl/base";
import type { Context } from "@cl/core";

import { type GeneratedKernel, GeneratedProgram } from "./generated-program.js";

const kernels = new OwnerCache<Context, GeneratedKernel>();
const programs = new OwnerCache<Context, GeneratedProgram>();

/** The kernel of a key. */
export function kernelOf(
  context: Context,
  key: string,
  name: string,
  source: () => string,
  options?: () => readonly string[],
): GeneratedKernel {
  return kernels.get(context, key, () => programOf(context, name, source, options?.()).kernel(name));
}

/** One of several kernels of a program, which is built once for all of them. */
export function kernelOfProgram(context: Context, key: string, name: string, source: () => string): GeneratedKernel {
  return kernels.get(context, `${name} of ${key}`, () =>
    programs.get(context, key, () => programOf(context, name, source)).kernel(name),
  );
}

function programOf(
  context: Context,
  name: string,
  source: () => string,
  options?: readonly string[],
): GeneratedProgram {
  return new GeneratedProgram(context, { source, label: `the kernel ${name} of arrays`, options });
}
