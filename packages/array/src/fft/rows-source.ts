/**
 * OpenCL C applied to rows before and after their transforms: multiplication by a table, and the conversion between the
 * spectrum of a real line and that of half as many complex numbers. Each CPU work-item processes a range of elements,
 * each GPU work-item one element.
 */
import { macros } from "../kernels/macros.js";
import { quiet } from "../kernels/processor-source.js";
import type { RealType } from "./butterflies-source.js";
import rows from "./rows.cl";

/** What the text depends on. */
export interface RowsText {
  readonly real: RealType;
  /** True for a loop over a range of elements, false for one element. */
  readonly loops: boolean;
}

/** The program with the kernels `multiply`, `unpack`, `pack` and `mirror`. */
export function rowsSource({ real, loops }: RowsText): string {
  return `${quiet}\n${macros({ real_t: real, real2_t: `${real}2`, LOOPS: loops })}${rows}`;
}
