/**
 * OpenCL C of QR decompositions: Householder reflections of a panel of few columns, and the block reflector that
 * applies them as one product.
 */
import { noteFault } from "../../faults/device-faults.js";
import { singularFault } from "../../faults/solver-faults.js";
import groupReductions from "./group-reductions.cl";
import panel from "./householder-panel.cl";
import check from "./rank-check.cl";
import triangle from "./reflection-triangle.cl";
import type { SolverKernel } from "./run-solver.js";

/** Columns of a panel. */
export const panelColumns = 32;

/** Reflects the columns of a panel one after the other. */
export const householderPanel: SolverKernel = {
  name: "householder_panel",
  macros: { PANEL_COLUMNS: panelColumns },
  source: `${groupReductions}${panel}`,
};

/** The triangle that joins reflections. */
export const reflectionTriangle: SolverKernel = { name: "reflection_triangle", source: triangle };

/** Notes matrices whose triangle says that columns depend on others. */
export const rankCheck: SolverKernel = {
  name: "rank_check",
  macros: { SINGULAR_FAULT: singularFault },
  source: `${noteFault}${check}`,
};
