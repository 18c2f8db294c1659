// Sorting random 32-bit integers and floating-point numbers, and argsort with int64 indices.
import { sized } from "../array/sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const sorts = [
  // Into existing memory; NumPy and CuPy allocate new arrays.
  ...sized("sort-u32", allPeers, { cpp: 1.3, pyopencl: 1 / 20, numpy: 1 / 8, cupy: 1 / 0.4 }),
  ...sized("sort-f32", ["numpy", "cupy"], { numpy: 1, cupy: 1 / 0.4 }),
  ...sized("argsort", allPeers, { cpp: 1.3, pyopencl: 1 / 20, cupy: 1 / 0.4 }),
];
