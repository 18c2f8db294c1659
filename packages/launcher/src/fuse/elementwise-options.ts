import type { ParameterMap } from "../kernel/launcher-types.js";
import type { LauncherOptions } from "../launcher-options.js";

/** What an element-wise launcher does, and with what. */
export interface ElementwiseOptions extends LauncherOptions {
  /** The arrays and scalars, as OpenCL C declares parameters: `"float *u, const float *v, float dt"`. */
  readonly signature: string;
  /** Statements for element `i` of `n`: `"u[i] += dt * v[i];"`. */
  readonly body: string;
  /** Functions, types and macros that the statements use. */
  readonly preamble?: string;
  /** What stays the same: in the signature's order, without those that are parameters; or by name or position. */
  readonly args: readonly unknown[] | Readonly<Record<number | string, unknown>>;
  /** What each launch gives: names of the signature, or names of your own: `{ timestep: "dt" }`. */
  readonly parameters?: ParameterMap;
  /** How many elements; those of the shortest buffer if not said. */
  readonly length?: number;
  /** Elements in a work-group, if you know better. */
  readonly local?: number;
}
