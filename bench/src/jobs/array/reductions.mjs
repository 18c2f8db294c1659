// Sums and the like. Results of whole arrays stay on the device.
import { sized } from "./sized.mjs";

const everybody = ["cpp", "pyopencl", "numpy", "cupy"];
const whole = { cpp: 1.25, pyopencl: 1 / 5, numpy: 1 };

/** @type {readonly import("../../job.mjs").Job[]} */
export const reductions = [
  ...sized("sum", everybody, { ...whole, cupy: 1 }),
  ...sized("dot", everybody, { ...whole, cupy: 1 / 2 }),
  ...sized("max", everybody, whole),
  // Of 1000 × n/1000 elements; PyOpenCL has none of these.
  ...sized("sum-axis0", ["cpp", "numpy", "cupy"], { cpp: 1.3, numpy: 1, cupy: 1 / 1.5 }),
  ...sized("sum-axis1", ["cpp", "numpy", "cupy"], { cpp: 1.3, numpy: 1 }),
];
