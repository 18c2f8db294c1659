/** What a kernel reads and writes: as its launcher declares it, or what its parameters' types let it. */
import { typeError, wrongValue } from "@cl/base";
import type { Kernel } from "@cl/core";

import { type Accesses, accessThrough, allAccesses } from "../list/access.js";
import { isNumber } from "../parameters/parameter-type.js";
import { argumentUse } from "./argument-use.js";
import { indexOf } from "./arguments.js";

/** The arguments that a kernel reads, and those that it writes. */
export interface KernelAccess {
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
}

/** What the options declare; undefined if they declare nothing. */
export function declaredAccess(kernel: Kernel, reads: unknown, writes: unknown): KernelAccess | undefined {
  if (reads === undefined && writes === undefined) return undefined;
  const named = (list: unknown, option: string): ReadonlySet<number> => {
    if (list === undefined) return new Set();
    if (!Array.isArray(list)) throw typeError(option, "an array of the names or positions of arguments", list);
    return new Set(
      list.map((at: unknown, i) => {
        const index = indexOf(kernel, at, `${option}[${i}]`);
        if (isNumber(kernel.argTypes[index] as string)) {
          throw wrongValue(`${option}[${i}] names argument ${index} (${kernel.argTypes[index]}), which is no memory`);
        }
        return index;
      }),
    );
  };
  return { reads: named(reads, "options.reads"), writes: named(writes, "options.writes") };
}

/** What the kernel can reach with these arguments; a parameter that is memory may be any. */
export function kernelAccesses(
  kernel: Kernel,
  args: readonly unknown[],
  parameters: ReadonlySet<number>,
  declared: KernelAccess | undefined,
): Accesses {
  return allAccesses(
    args.map((value, i) => {
      if (isNumber(kernel.argTypes[i] as string)) return [];
      if (declared !== undefined && !declared.reads.has(i) && !declared.writes.has(i)) return [];
      if (parameters.has(i)) return undefined;
      return accessThrough(value, declared === undefined ? argumentUse(kernel, i).written : declared.writes.has(i));
    }),
  );
}
