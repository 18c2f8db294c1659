/** OpenCL C of products of small matrices, of which there may be many: no data is rearranged first. */
import { quiet } from "../../kernels/processor-source.js";
import elements from "./direct-elements.cl";
import rows from "./direct-rows.cl";
import { operandMacros, productHead, type ProductTypes } from "./product-source.js";

/** Number of columns that are summed together. */
export const directWidth = 16;

/** For CPUs: each work-item computes several rows of results; sums of adjacent columns are computed together. */
export function directLoopSource(types: ProductTypes): string {
  return `${quiet}\n${productHead(types.sum, { ...operandMacros(types), WIDTH: directWidth })}${rows}`;
}

/** For GPUs: each work-item has one element. */
export function directItemsSource(types: ProductTypes): string {
  return `${productHead(types.sum, operandMacros(types))}${elements}`;
}
