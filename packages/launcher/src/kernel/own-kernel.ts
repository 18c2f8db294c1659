/** The kernel of a launcher: a clone of one, or a new one of a program. */
import { checkString, rangeError, typeError, wrongValue } from "@cl/base";
import { Kernel, Program } from "@cl/core";

import { named } from "../member.js";

/** A kernel that nobody else sets arguments of. */
export function ownKernel(source: Kernel | Program, name: string | undefined, words: string): Kernel {
  try {
    if (source instanceof Kernel) return cloned(source, name);
    if (!(source instanceof Program)) throw typeError("kernel", "a Kernel or a Program", source);
    return made(source, name);
  } catch (error) {
    throw named(words, error);
  }
}

function cloned(kernel: Kernel, name: string | undefined): Kernel {
  if (name === undefined || name === kernel.name) return kernel.clone();
  throw rangeError("options.kernel", `"${kernel.name}", or left out, since a kernel is given`, name);
}

function made(program: Program, name: string | undefined): Kernel {
  const { kernelNames } = program;
  const chosen = name ?? (kernelNames.length === 1 ? kernelNames[0] : undefined);
  if (chosen === undefined) {
    const names = kernelNames.join(", ") || "it has none";
    throw wrongValue(`options.kernel must say which of the program's kernels: ${names}`);
  }
  if (!kernelNames.includes(checkString(chosen, "options.kernel"))) {
    throw rangeError("options.kernel", `a kernel of the program (${kernelNames.join(", ")})`, chosen);
  }
  return new Kernel(program, chosen);
}
