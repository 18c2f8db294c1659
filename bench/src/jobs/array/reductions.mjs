// Reductions. Results stay on the device.
import { sized } from "./sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];
const wholeArray = { cpp: 1.25, pyopencl: 1 / 5, numpy: 1 };

/** @type {readonly import("../../job.mjs").Job[]} */
export const reductions = [
  ...sized("sum", allPeers, { ...wholeArray, cupy: 1 }),
  ...sized("dot", allPeers, { ...wholeArray, cupy: 1 / 2 }),
  // (a * b).sum(), which ours computes in one pass. C++ is its dot product.
  ...sized("mul-sum", ["numpy", "cupy"], { cpp: 1.15, cupy: 1 / 2 }, { cpp: { peer: "cpp", job: "dot" } }),
  ...sized("max", allPeers, wholeArray),
  // Of 1000 × n/1000 elements; PyOpenCL does not support these.
  ...sized("sum-axis0", ["cpp", "numpy", "cupy"], { cpp: 1.3, numpy: 1, cupy: 1 / 1.5 }),
  ...sized("sum-axis1", ["cpp", "numpy", "cupy"], { cpp: 1.3, numpy: 1 }),
];
