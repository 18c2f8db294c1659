// Twenty dependent element-wise steps. Ours are fused into one kernel; the peers launch twenty. A unit is one step.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {readonly Job[]} */
export const fusions = [
  {
    name: "step-20-fused",
    size: "64 elements",
    unit: "ns",
    kind: "loop",
    environment: "basic",
    multiple: 500,
    // `unfused` is the same list without fuse().
    sides: { ...sides("step-20-fused", "cpp", "pyopencl"), unfused: { peer: "ours", job: "step-20-unfused" } },
    target: { times: 0.5, peer: "cpp" },
  },
  {
    name: "step-20-fused-large",
    size: "1048576 elements",
    unit: "us",
    kind: "loop",
    environment: "default",
    multiple: 20,
    sides: sides("step-20-fused-large", "cpp", "pyopencl"),
    target: { times: 0.5, peer: "cpp" },
  },
];
