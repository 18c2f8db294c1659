/**
 * OpenCL C that computes quantiles: from sorted lines with NaN last, or from the two elements adjacent to each
 * quantile, found by rank.
 */
import { computeType } from "../kernels/compute-type.js";
import { macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import quantile from "./quantile.cl";

/** Methods for quantiles between two elements. */
export const quantileMethods = ["linear", "lower", "higher", "midpoint", "nearest"] as const;

/**
 * The method number of the median, which needs no interpolation position: it is the mean of the two middle elements.
 */
export const medianNumber = 5;

/** What the text depends on. */
export interface QuantilePlan {
  /** The type of the elements, and of the results. */
  readonly dtype: DTypeName;
  readonly result: DTypeName;
  /** Places are found with doubles where there are some. */
  readonly doubles: boolean;
  readonly from: "sorted" | "picked";
}

/** The program of `quantiles`, and for elements that are picked of `set_ranks`, which says which ones these are. */
export function quantileSource({ dtype, result, doubles, from }: QuantilePlan): string {
  const names = {
    T: computeType(dtype),
    RESULT: computeType(result),
    REAL: doubles ? "double" : "float",
    IS_FLOATING: kindOf(dtype) === 3,
    IS_SORTED: from === "sorted",
    NONES: from === "sorted" ? "" : "__global const uint *const nones, const uint chunks,",
    MEDIAN: medianNumber,
  };
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${macros(names)}${quantile}`;
}
