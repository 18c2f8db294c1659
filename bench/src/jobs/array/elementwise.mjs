// Element-wise operations. PyOpenCL and NumPy evaluate the formula with operators; PyOpenCL has no `out`, so its results come
// from its pool.
import { sized } from "./sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const elementwise = [
  // a + b into out.
  ...sized("add", allPeers, { cpp: 1.15, pyopencl: 1 / 10, numpyLarge: 1, cupy: 1 / 1.5 }),
  // 2a + 3b - c into out, fused in ours and CuPy. `elementwise` is PyOpenCL's ElementwiseKernel, `operators` is ours without
  // fuse().
  ...sized(
    "fused",
    allPeers,
    { cpp: 1.15, pyopencl: 1 / 30, numpy: 1 / 2, cupy: 1 / 1.15 },
    {
      elementwise: { peer: "pyopencl", job: "fused-elementwise" },
      operators: { peer: "ours", job: "fused-operators" },
    },
  ),
  // Selects from two arrays by a Boolean array, into a new array.
  ...sized("where", allPeers, { cupy: 1 / 2.5 }),
];
