/** A cache of the kernels of a context, by everything that their source depends on. */
import { OwnerCache } from "@cl/base";
import { type Context, Kernel, type Program } from "@cl/core";

import { generatedProgram } from "./generated-program.js";

const kernels = new OwnerCache<Context, Kernel>({ isUsable: ({ released }) => !released });
const programs = new OwnerCache<Context, Program>({ isUsable: ({ released }) => !released });

/** The kernel of a key. Building keeps the order of commands, so the first use waits for the compiler. */
export function kernelOf(
  context: Context,
  key: string,
  name: string,
  source: () => string,
  options?: () => readonly string[],
): Kernel {
  return kernels.get(context, key, () => new Kernel(built(context, name, source, options?.()), name));
}

/** One of several kernels of a program, which is built once for all of them. */
export function kernelOfProgram(context: Context, key: string, name: string, source: () => string): Kernel {
  return kernels.get(context, `${name} of ${key}`, () => {
    const program = programs.get(context, key, () => built(context, name, source));
    return new Kernel(program, name);
  });
}

function built(context: Context, name: string, source: () => string, options?: readonly string[]): Program {
  return generatedProgram(context, source(), `the kernel ${name} of arrays`, options);
}
