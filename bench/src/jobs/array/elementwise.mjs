// Element-wise operations. PyOpenCL and NumPy evaluate the formula with operators; PyOpenCL has no `out`, so its results come
// from its pool.
import { sides } from "../../job.mjs";
import { sized } from "./sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const elementwise = [
  // a + b into out.
  ...sized("add", allPeers, { cpp: 1.15, pyopencl: 1 / 10, numpyLarge: 1, cupy: 1 / 1.5 }),
  // 2a + 3b - c into out, fused in ours and CuPy. `elementwise` is PyOpenCL's ElementwiseKernel.
  ...sized(
    "fused",
    allPeers,
    { cpp: 1.15, pyopencl: 1 / 30, numpy: 1 / 2, cupy: 1 / 1.15 },
    { elementwise: { peer: "pyopencl", job: "fused-elementwise" } },
  ),
  // The same with plain operators into a new array, which ours computes by one kernel. `fused` is ours with fuse(), `eager` ours
  // with one kernel for each operator.
  ...sized(
    "plain",
    ["numpy", "cupy"],
    { numpyLarge: 1 / 5, cupy: 0.4 },
    { fused: { peer: "ours", job: "fused" }, eager: { peer: "ours", job: "eager" } },
  ),
  // One step of Conway's Game of Life on a square, operator by operator.
  {
    name: "life",
    size: "1024²",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("life", "numpy", "cupy"),
    target: { times: 1, peer: "numpy" },
  },
  // Selects from two arrays by a Boolean array, into a new array.
  ...sized("where", allPeers, { cupy: 1 / 2.5 }),
];
