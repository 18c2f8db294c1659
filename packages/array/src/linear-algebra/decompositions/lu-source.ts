/**
 * OpenCL C of LU decompositions: a panel of few columns, row exchanges outside of the panel, and the determinant of the
 * result.
 */
import determinant from "./determinants.cl";
import panel from "./lu-panel.cl";
import exchanges from "./row-exchanges.cl";
import type { SolverKernel } from "./run-solver.js";

/** Decomposes all rows of few columns in place, with the largest element of each column as pivot; a group has one matrix. */
export const luPanel: SolverKernel = { name: "lu_panel", source: panel };

/** Exchanges rows as pivots say, in their order; each work-item has some columns. */
export const rowExchanges: SolverKernel = { name: "row_exchanges", source: exchanges };

/** The product of diagonals, as one number, or as its sign and the logarithm of its size. */
export const determinants: SolverKernel = { name: "determinants", source: determinant };
