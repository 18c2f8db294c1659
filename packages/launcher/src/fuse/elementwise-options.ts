import type { ParameterMap } from "../kernel/launcher-types.js";
import type { LauncherOptions } from "../launcher-options.js";

/** Options of an element-wise launcher. */
export interface ElementwiseOptions extends LauncherOptions {
  /** Arrays and scalars, as OpenCL C parameters: `"float *u, const float *v, float dt"`. */
  readonly signature: string;
  /** Statements for element `i` of `n`: `"u[i] += dt * v[i];"`. */
  readonly body: string;
  /** Functions, types and macros for the statements. */
  readonly preamble?: string;
  /** Fixed arguments: in the signature's order, without the parameters; or by name or position. */
  readonly args: readonly unknown[] | Readonly<Record<number | string, unknown>>;
  /** Arguments passed with each launch: names of the signature, or other names for them: `{ timestep: "dt" }`. */
  readonly parameters?: ParameterMap;
  /** Number of elements. @defaultValue the length of the shortest buffer */
  readonly length?: number;
  /** Work-group size. @defaultValue 256, or the device's maximum if it is smaller */
  readonly local?: number;
}
