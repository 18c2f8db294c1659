// A result for each element. PyOpenCL and NumPy compute the formula as their users write it; PyOpenCL has no `out`, so its
// results are from its pool.
import { sized } from "./sized.mjs";

const everybody = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const elementwise = [
  // a + b into out.
  ...sized("add", everybody, { cpp: 1.15, pyopencl: 1 / 10, numpyLarge: 1, cupy: 1 / 1.5 }),
  // 2a + 3b - c, of ours and of CuPy fused, into out. `elementwise` is PyOpenCL's ElementwiseKernel, `operators` ours without fuse.
  ...sized(
    "fused",
    everybody,
    { cpp: 1.15, pyopencl: 1 / 30, numpy: 1 / 2, cupy: 1 / 1.15 },
    {
      elementwise: { peer: "pyopencl", job: "fused-elementwise" },
      operators: { peer: "ours", job: "fused-operators" },
    },
  ),
  // Of two arrays by an array of booleans; a new array.
  ...sized("where", everybody, { cupy: 1 / 2.5 }),
];
