/**
 * OpenCL C of products on CPUs. Both matrices are first copied to panels: some rows of the first, some columns of the
 * second, each with the elements that are multiplied together contiguous, converted and padded with zeros. A block of
 * the result then stays in registers while its two panels are read from start to end: 8 rows of two vectors of 64
 * bytes, which are 16 registers, plus two for the second matrix. On two cores of an EPYC with AVX-512 this reaches 85 %
 * of peak; 12 or 14 rows would need every register, and the compiler spills some.
 */
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { macros } from "../../kernels/macros.js";
import { quiet } from "../../kernels/processor-source.js";
import { realOf } from "../../types/promote.js";
import pack from "./pack.cl";
import panelProduct from "./panels.cl";
import {
  loadMacros,
  partsOf,
  partType,
  productHead,
  type ProductTypes,
  storeMacros,
  sumMacros,
} from "./product-source.js";

/** How many rows and columns of results stay in registers. */
export interface Block {
  readonly rows: number;
  /** Number of elements of a vector. */
  readonly width: number;
  /** Elements of all vectors of a row. */
  readonly columns: number;
}

/** The block of a type of sums. */
export function blockOf(sum: DTypeName): Block {
  const width = 64 / typeNamed(realOf(sum)).itemSize;
  return { rows: 8, width, columns: partsOf(sum) === 2 ? width : 2 * width };
}

/** Number of elements of a line that are copied between two branches. */
const copyLength = 256;
/** Panels of the first matrix that are multiplied with one of the second while they are in the caches. */
const blockPanels = 16;
/** Panels of the second matrix that one work-item has. */
const workPanels = 8;
/** Number of elements that are summed before the next block is added; longer panels do not fit into the L1 cache. */
const blockDepth = 512;

/** How many parts work is divided into. */
export function unitsOf(block: Block, m: number, n: number): number {
  const panels = (count: number, by: number): number => Math.ceil(count / by);
  return panels(panels(m, block.rows), blockPanels) * panels(panels(n, block.columns), workPanels);
}

/** Copies lines to panels of `lines` lines; the last argument is their layout. */
export function packSource(from: DTypeName, sum: DTypeName, lines: number, conjugate: boolean): string {
  const elements = { ...sumMacros(sum), ...loadMacros("FROM", from, sum, conjugate) };
  return `${quiet}\n${macros({ ...elements, LINES: lines, COPY_LENGTH: copyLength })}${pack}`;
}

/** Multiplies panels. */
export function panelSource({ c, sum }: Pick<ProductTypes, "c" | "sum">): string {
  const { rows, width, columns } = blockOf(sum);
  const own = {
    ...storeMacros(c, sum),
    V: `${partType(sum)}${width}`,
    WIDTH: width,
    ROWS: rows,
    COLUMNS: columns,
    BLOCK_PANELS: blockPanels,
    WORK_PANELS: workPanels,
    // Halves would be rounded between the parts of a sum.
    BLOCK_DEPTH: c === "float16" ? "depth" : blockDepth,
  };
  return `${quiet}\n${productHead(sum, own)}${panelProduct}`;
}
