// Random numbers of Philox, float32.
import { sized } from "../array/sized.mjs";

const everybody = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const random = [
  // All into memory that is there. CuPy's Philox is its own, of the same rounds.
  ...sized("uniform", everybody, { cpp: 1.3, pyopencl: 1 / 5, numpy: 1 / 5, cupy: 1 / 4 }),
  ...sized("normal", everybody, { cpp: 1.3, pyopencl: 1 / 5, numpy: 1 / 5 }),
];
