// A trace of requests between 256 B and 64 MiB, replayed on a pool: the time per request, the bytes allocated beyond those
// requested, and the growth of the pool in a second pass.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {Pick<Job, "size" | "kind" | "environment" | "count">} */
const shared = {
  size: "# requests",
  kind: "loop",
  environment: "default",
  count: { full: 1_000_000, quick: 100_000 },
};

/** @type {readonly Job[]} */
export const traces = [
  { ...shared, name: "trace-replay", unit: "ns", sides: sides("trace-replay") },
  // Deterministic.
  {
    ...shared,
    name: "trace-replay-waste",
    unit: "%",
    rounds: 1,
    sides: sides("trace-replay-waste"),
    target: { ours: 7 },
  },
  {
    ...shared,
    name: "trace-replay-growth",
    unit: "KiB",
    rounds: 1,
    sides: sides("trace-replay-growth"),
    target: { ours: 0 },
  },
];
