// Cumulative sums.
import { sized } from "../array/sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const scans = [
  // Into existing memory; CuPy allocates from its pool.
  ...sized("cumsum", allPeers, { cpp: 1.3, pyopencl: 1 / 8, numpy: 1 / 3, cupy: 1 / 1.5 }),
];
