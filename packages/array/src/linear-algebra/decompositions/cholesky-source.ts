/** OpenCL C of the Cholesky decomposition of few rows. */
import { noteFault } from "../../faults/device-faults.js";
import { indefiniteFault } from "../../faults/solver-faults.js";
import panel from "./cholesky-panel.cl";
import type { SolverKernel } from "./run-solver.js";

/** In place; only the upper triangle is read and written. A group has one matrix. */
export const choleskyPanel: SolverKernel = {
  name: "cholesky_panel",
  macros: { INDEFINITE_FAULT: indefiniteFault },
  source: `${noteFault}${panel}`,
};
