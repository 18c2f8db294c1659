/** Kernels with tunable local sizes. */
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { AutoLocal, LaunchInfo } from "./auto-local.js";

/** A kernel to tune and the given values of its parameters. */
export interface Tunable {
  readonly member: TunableKernel;
  readonly values: ParameterValues;
}

/** The part of a kernel launcher's member that tuning needs. */
export interface TunableKernel {
  readonly name: string;
  /** Name in errors. */
  readonly displayName: string;
  readonly args: readonly unknown[];
  /** Arguments that are parameters. */
  readonly slots: readonly { readonly name: string; readonly index: number }[];
  /** Undefined without `local: "auto"`. */
  readonly auto: AutoLocal | undefined;
  setParameters(values: ParameterValues): void;
  launchInfo(): LaunchInfo;
}
