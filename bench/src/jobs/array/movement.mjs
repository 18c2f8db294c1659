// Elements that go to other places: a[a > 0.5] of values between 0 and 1, whose number comes to the host, and copies of views.
import { sized } from "./sized.mjs";

const everybody = ["cpp", "pyopencl", "numpy", "cupy"];
// PyOpenCL cannot.
const others = ["cpp", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const movement = [
  ...sized(
    "compact",
    everybody,
    { cpp: 1.3, pyopencl: 1 / 8, numpy: 1 / 5, cupy: 1 / 1.3 },
    // Without making the mask.
    { mask: { peer: "ours", job: "compact-mask" } },
  ),
  // a.T into memory that is there, of 25 × 40, 100 × 100, 250 × 400, ... 10,000 × 10,000 elements.
  ...sized("transpose", others, { cpp: 1.3, numpy: 1, cupy: 1 / 2 }),
  // a[::2] of n elements into memory that is there.
  ...sized("strided-copy", others, { cpp: 1.3, numpy: 1 }),
];
