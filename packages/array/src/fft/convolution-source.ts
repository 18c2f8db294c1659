/**
 * OpenCL C of direct convolution of a long line with a short one. On a CPU each work-item computes a range of results,
 * in blocks that stay in registers while it loops over the short line; on a GPU each computes one result.
 */
import { loadedApart, storedApart } from "../kernels/compute-type.js";
import { elementMacros, macros } from "../kernels/macros.js";
import { quiet } from "../kernels/processor-source.js";
import type { DTypeName } from "../types/dtype-name.js";
import convolution from "./convolution.cl";

/** What the text depends on. */
export interface ConvolutionText {
  readonly dtype: DTypeName;
  /** True for a loop over a range of results, false for one result. */
  readonly loops: boolean;
}

/** The program, with one kernel, `convolve`. */
export function convolutionSource({ dtype, loops }: ConvolutionText): string {
  const names = {
    ...elementMacros(dtype),
    "LOADED_APART(array, i)": loadedApart(dtype, "array", "i"),
    "STORE_APART(array, i, value)": storedApart(dtype, "array", "i", "value"),
    "ADDED(sum, x, y)": dtype === "bool" ? "sum | (x & y)" : "sum + x * y",
    LOOPS: loops,
  };
  return `${quiet}\n${macros(names)}${convolution}`;
}
