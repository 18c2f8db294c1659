/** Creates the kernel of a launcher: a clone, or a new one from a program. */
import { checkString, rangeError, typeError, wrongValue } from "@cl/base";
import { Kernel, Program } from "@cl/core";

import { prefixError } from "../member.js";

/** Returns a kernel whose arguments only the caller sets. */
export function ownKernel(source: Kernel | Program, name: string | undefined, displayName: string): Kernel {
  try {
    if (source instanceof Kernel) return cloneKernel(source, name);
    if (!(source instanceof Program)) throw typeError("kernel", "a Kernel or a Program", source);
    return createKernel(source, name);
  } catch (error) {
    throw prefixError(displayName, error);
  }
}

function cloneKernel(kernel: Kernel, name: string | undefined): Kernel {
  if (name === undefined || name === kernel.name) return kernel.clone();
  throw rangeError("options.kernel", `"${kernel.name}" or omitted if a kernel is passed`, name);
}

function createKernel(program: Program, name: string | undefined): Kernel {
  const { kernelNames } = program;
  const chosen = name ?? (kernelNames.length === 1 ? kernelNames[0] : undefined);
  if (chosen === undefined) {
    const names = kernelNames.join(", ") || "none";
    throw wrongValue(`options.kernel must be one of the program's kernels: ${names}`);
  }
  if (!kernelNames.includes(checkString(chosen, "options.kernel"))) {
    throw rangeError("options.kernel", `a kernel of the program (${kernelNames.join(", ")})`, chosen);
  }
  return new Kernel(program, chosen);
}
