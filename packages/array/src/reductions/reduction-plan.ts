/** The parameters that the source of a reduction's kernels depends on. */
import type { CompilerOptions } from "@cl/core";
import type { Expression } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Reduction } from "../expression/reduction.js";

/** What becomes of an element before it is combined: expressions of the inputs, or text. */
export interface MapStage {
  /** The value that is reduced. */
  readonly value: Expression;
  /** Only where this is true, if there is one. */
  readonly where?: Expression | undefined;
}

/** A map stage in OpenCL C: an accumulator made of the index `i` and of the parameters. */
export interface TextStage {
  readonly text: string;
}

/** The stride along an axis: known, or an argument. */
export type Step = 0 | 1 | "any";

/** What combines the parts of a result: nothing if there is one part, the last work-item to finish, or a second kernel. */
export type Combining = "nothing" | "last" | "kernel";

/** The layout of the axes that kernels loop over. */
export interface ReductionPlan {
  readonly reduction: Reduction;
  readonly stage: MapStage | TextStage;
  readonly inputs: readonly DTypeName[];
  /** Parameters besides the inputs, such as values of the host, and their names. */
  readonly parameters: readonly string[];
  readonly names: readonly string[];
  /** The dtype that is stored; the accumulator itself if undefined. */
  readonly target: DTypeName | undefined;
  /** Direction of the inner loop: along the elements of one result, or along adjacent results. */
  readonly orientation: "rows" | "columns";
  /** How many axes stay, and how many go. */
  readonly kept: number;
  readonly reduced: number;
  /** The inputs' distances along the inner loop. */
  readonly steps: readonly Step[];
  /** True if places are counted in 32 bits. */
  readonly short: boolean;
  readonly combining: Combining;
  /** Work-items of a group that work together, 1 on a processor. */
  readonly group: number;
  /** How many of them share a row, or how many columns a group has. */
  readonly width: number;
  /** Number of elements that a work-item of a work-group loads together. */
  readonly vector: number;
  /** Compiler options. */
  readonly options?: CompilerOptions | undefined;
  /** Elements of the vectors that a work-item of a processor computes with; 1 where the compiler has to find them. */
  readonly wide: number;
  /** Number of adjacent results of a CPU work-item. */
  readonly tile: number;
}
