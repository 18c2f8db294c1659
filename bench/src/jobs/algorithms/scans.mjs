// Sums of all elements up to each one.
import { sized } from "../array/sized.mjs";

const everybody = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const scans = [
  // Into memory that is there; CuPy takes its pool.
  ...sized("cumsum", everybody, { cpp: 1.3, pyopencl: 1 / 8, numpy: 1 / 3, cupy: 1 / 1.5 }),
];
