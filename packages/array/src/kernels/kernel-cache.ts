/** Kernels that were built for a context, by all that their text depends on. */
import { type Context, Kernel, Program } from "@cl/core";

const kernels = new WeakMap<Context, Map<string, Kernel>>();
const programs = new WeakMap<Context, Map<string, Program>>();

/** The kernel of a key. Building keeps the order of commands, so the first use waits for the compiler. */
export function kernelOf(
  context: Context,
  key: string,
  name: string,
  source: () => string,
  options?: () => readonly string[],
): Kernel {
  return kept(kernels, context, key, () => new Kernel(built(context, name, source, options?.()), name));
}

/** One of several kernels of a program, which is built once for all of them. */
export function kernelOfProgram(context: Context, key: string, name: string, source: () => string): Kernel {
  return kept(kernels, context, `${name} of ${key}`, () => {
    const program = kept(programs, context, key, () => built(context, name, source));
    return new Kernel(program, name);
  });
}

function built(context: Context, name: string, source: () => string, options: readonly string[] = []): Program {
  return new Program(context, source(), { label: `the kernel ${name} of arrays` }).buildSync({ options });
}

function kept<T extends { readonly released: boolean }>(
  all: WeakMap<Context, Map<string, T>>,
  context: Context,
  key: string,
  make: () => T,
): T {
  let own = all.get(context);
  if (own === undefined) all.set(context, (own = new Map<string, T>()));
  let one = own.get(key);
  if (one === undefined || one.released) own.set(key, (one = make()));
  return one;
}
