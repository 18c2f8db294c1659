// Random float32 numbers from Philox.
import { sized } from "../array/sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const random = [
  // All write into existing memory. CuPy's Philox is a different implementation with the same number of rounds.
  ...sized("uniform", allPeers, { cpp: 1.3, pyopencl: 1 / 5, numpy: 1 / 5, cupy: 1 / 4 }),
  ...sized("normal", allPeers, { cpp: 1.3, pyopencl: 1 / 5, numpy: 1 / 5 }),
];
