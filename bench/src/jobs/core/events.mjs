// Events: 5,000 completions in flight, and reading profiling times.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const events = [
  {
    // Includes enqueue, callback or promise, and release. PyOpenCL starts a thread for each callback.
    name: "promise-per-event",
    size: "# in flight",
    unit: "us",
    kind: "loop",
    environment: "default",
    count: { full: 5000, quick: 5000 },
    sides: sides("promise-per-event", "cpp", "pyopencl"),
    target: { times: 1.1, peer: "cpp" },
  },
  {
    name: "profile-read",
    unit: "ns",
    kind: "loop",
    environment: "basic",
    multiple: 1000,
    sides: sides("profile-read", "cpp", "pyopencl"),
    target: { ours: 50 },
  },
];
