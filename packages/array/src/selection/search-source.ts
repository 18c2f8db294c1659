/** OpenCL C of binary search in sorted values, and of interpolation between them. */
import { macros } from "../kernels/macros.js";
import type { DTypeName } from "../types/dtype-name.js";
import interpolate from "./interpolate.cl";
import { orderCode } from "./order-code.js";
import searchAll from "./search-all.cl";
import search from "./search.cl";

/** Number of values that a CPU work-item searches together, to overlap their memory latency. */
export const searchLanes = 16;

/** The program of `search_all`: a place for each value. With `any_order` values may fall, and count from the largest then. */
export function searchSource(dtype: DTypeName, lanes: number, short: boolean): string {
  return `${searchHead(dtype, lanes, short ? "int" : "long")}${searchAll}`;
}

/** The program of `interpolate`: values at places between those that are known, on straight lines. */
export function interpolateSource(dtype: DTypeName): string {
  return `${searchHead(dtype, 1, "long")}${interpolate}`;
}

function searchHead(dtype: DTypeName, lanes: number, index: string): string {
  return `${orderCode(dtype)}${macros({ LANES: lanes, INDEX: index })}${search}`;
}
