// Data movement: a[a > 0.5] of values in [0, 1), whose count is read by the host, and copies of views.
import { sized } from "./sized.mjs";

const allPeers = ["cpp", "pyopencl", "numpy", "cupy"];
// PyOpenCL does not support these.
const others = ["cpp", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const movement = [
  ...sized(
    "compact",
    allPeers,
    { cpp: 1.3, pyopencl: 1 / 8, numpy: 1 / 5, cupy: 1 / 1.3 },
    // Without computing the mask.
    { mask: { peer: "ours", job: "compact-mask" } },
  ),
  // a.T into existing memory, for 25 × 40, 100 × 100, 250 × 400, ... 10,000 × 10,000 elements.
  ...sized("transpose", others, { cpp: 1.3, numpy: 1, cupy: 1 / 2 }),
  // a[::2] of n elements into existing memory.
  ...sized("strided-copy", others, { cpp: 1.3, numpy: 1 }),
];
