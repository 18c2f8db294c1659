/** OpenCL C that all blocked solvers use between panels: solving with a small triangle, and subtracting products. */
import { noteFault } from "../../faults/device-faults.js";
import { singularFault } from "../../faults/solver-faults.js";
import { realOf } from "../../types/promote.js";
import type { SolverType } from "./number-source.js";
import product from "./product.cl";
import type { SolverKernel } from "./run-solver.js";
import substitute from "./substitution.cl";

/** Solves with a lower triangle of few rows, for some columns in each work-item. An upper one is passed turned around. */
export const substitution: SolverKernel = {
  name: "substitution",
  macros: { SINGULAR_FAULT: singularFault },
  source: `${noteFault}${substitute}`,
};

/** Rows and columns of the part that one work-item of a processor, or one group elsewhere, has of a product. */
export const productPart = { rows: 64, columns: 256, tile: 64 } as const;

/** Adds a product to a matrix or subtracts it: `c = keep c + sign (a b)`; rows of `b` and `c` are contiguous. */
export function productKernel(dtype: SolverType): SolverKernel {
  const width = realOf(dtype) === "float32" ? 16 : 8;
  return {
    name: "product",
    macros: {
      PART_ROWS: productPart.rows,
      PART_COLUMNS: productPart.columns,
      TILE: productPart.tile,
      WIDTH: width,
      "VLOAD(k, from)": `vload${width}(k, from)`,
      "VSTORE(value, k, to)": `vstore${width}(value, k, to)`,
    },
    source: product,
  };
}
