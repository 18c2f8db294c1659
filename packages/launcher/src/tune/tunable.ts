/** Kernels whose local sizes tuning chooses. */
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { AutoLocal, Launched } from "./auto-local.js";

/** A kernel to tune, with the values of its parameters, as far as they are given. */
export interface Tunable {
  readonly member: TunableKernel;
  readonly values: ParameterValues;
}

/** The member of a kernel launcher, as far as tuning needs it. */
export interface TunableKernel {
  readonly name: string;
  /** How errors call it. */
  readonly displayName: string;
  readonly args: readonly unknown[];
  /** The arguments that parameters give. */
  readonly slots: readonly { readonly name: string; readonly index: number }[];
  /** Undefined unless its local sizes are left to tuning. */
  readonly auto: AutoLocal | undefined;
  setParameters(values: ParameterValues): void;
  current(): Launched;
}
