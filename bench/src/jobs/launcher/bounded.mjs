// A loop of launches. In C++ the queue grows; ours limits the launches in flight to the queue's `depth`.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {Pick<Job, "size" | "kind" | "environment" | "rounds" | "count">} */
const shared = {
  size: "# launches",
  kind: "once",
  environment: "default",
  rounds: 5,
  count: { full: 1_000_000, quick: 50_000 },
};

/** @type {readonly Job[]} */
export const bounded = [
  {
    ...shared,
    name: "bounded-1e6",
    unit: "ns",
    sides: sides("bounded-1e6", "cpp", "pyopencl"),
    target: { times: 1 / 1.2, peer: "cpp" },
  },
  {
    ...shared,
    name: "bounded-1e6-growth",
    unit: "KiB",
    long: true,
    nodeArguments: ["--expose-gc"],
    sides: sides("bounded-1e6-growth", "cpp", "pyopencl"),
    target: { ours: 2048 },
  },
];
