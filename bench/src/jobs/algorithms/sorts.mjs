// Random integers of 32 bits in order, and where they come from, as int64.
import { sized } from "../array/sized.mjs";

const everybody = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const sorts = [
  // Into memory that is there; NumPy and CuPy make new arrays.
  ...sized("sort-u32", everybody, { cpp: 1.3, pyopencl: 1 / 20, numpy: 1 / 8, cupy: 1 / 0.4 }),
  ...sized("argsort", everybody, { cpp: 1.3, pyopencl: 1 / 20, cupy: 1 / 0.4 }),
];
