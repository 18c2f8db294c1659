/**
 * OpenCL C of one-sided Jacobi rotations: pairs of vectors are rotated until all are orthogonal. The same rotations are
 * applied to the vectors of a second stack. The pairs of one round are disjoint, so they are rotated in parallel.
 */
import { noteFault } from "../../faults/device-faults.js";
import { convergenceFault } from "../../faults/solver-faults.js";
import lengths from "./jacobi-lengths.cl";
import order from "./jacobi-order.cl";
import rounds from "./jacobi-rounds.cl";
import type { SolverKernel } from "./run-solver.js";

/** Performs several rounds of several sweeps. */
export const jacobiRounds: SolverKernel = { name: "jacobi_rounds", source: rounds };

/** The lengths of vectors; notes those that are no numbers, and stacks that were still turned in the last sweep. */
export const jacobiLengths: SolverKernel = {
  name: "jacobi_lengths",
  macros: { CONVERGENCE_FAULT: convergenceFault },
  source: `${noteFault}${lengths}`,
};

/**
 * Sorts the vectors by descending norm and normalizes them; negligible ones become zero. The second stack is
 * conjugated.
 */
export const jacobiOrder: SolverKernel = { name: "jacobi_order", source: order };
