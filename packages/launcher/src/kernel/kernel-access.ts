/** Memory accesses of a kernel: as declared by its launcher, or as its parameter types allow. */
import { typeError, wrongValue } from "@cl/base";
import type { Kernel } from "@cl/core";

import { type Accesses, accessThrough, allAccesses } from "../list/access.js";
import { isNumber } from "../parameters/parameter-type.js";
import { argumentUse } from "./argument-use.js";
import { indexOf } from "./arguments.js";

/** Positions of the arguments that a kernel reads and writes. */
export interface KernelAccess {
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
}

/** Returns the access that the options declare; `undefined` if they declare none. */
export function declaredAccess(kernel: Kernel, reads: unknown, writes: unknown): KernelAccess | undefined {
  if (reads === undefined && writes === undefined) return undefined;
  const positionsOf = (list: unknown, option: string): ReadonlySet<number> => {
    if (list === undefined) return new Set();
    if (!Array.isArray(list)) throw typeError(option, "an array of the names or positions of arguments", list);
    return new Set(
      list.map((at: unknown, i) => {
        const index = indexOf(kernel, at, `${option}[${i}]`);
        if (isNumber(kernel.argTypes[index] as string)) {
          throw wrongValue(`${option}[${i}] must be memory, received argument ${index} (${kernel.argTypes[index]})`);
        }
        return index;
      }),
    );
  };
  return { reads: positionsOf(reads, "options.reads"), writes: positionsOf(writes, "options.writes") };
}

/** Returns the memory that the kernel can access with these arguments. A memory parameter may be any memory. */
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
