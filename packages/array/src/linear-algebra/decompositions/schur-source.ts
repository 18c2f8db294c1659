/**
 * OpenCL C of the eigenvalues of general matrices: reduction to Hessenberg form, shifted QR steps, and the eigenvectors
 * of the triangle. All of it computes with complex numbers.
 */
import { noteFault } from "../../faults/device-faults.js";
import { convergenceFault } from "../../faults/solver-faults.js";
import groupReductions from "./group-reductions.cl";
import hessenbergSource from "./hessenberg.cl";
import type { SolverKernel } from "./run-solver.js";
import schurSource from "./schur.cl";
import vectors from "./triangle-vectors.cl";
import lengths from "./vector-lengths.cl";

/** Reduces matrices to Hessenberg form. */
export const hessenberg: SolverKernel = { name: "hessenberg", source: `${groupReductions}${hessenbergSource}` };

/** Makes Hessenberg matrices triangular. */
export const schur: SolverKernel = {
  name: "schur",
  macros: { CONVERGENCE_FAULT: convergenceFault },
  source: `${noteFault}${groupReductions}${schurSource}`,
};

/** Eigenvectors of triangles. */
export const triangleVectors: SolverKernel = { name: "triangle_vectors", source: vectors };

/** Normalizes eigenvectors. */
export const vectorLengths: SolverKernel = { name: "vector_lengths", source: lengths };
