// Events: 5,000 completions in flight at once, and profiling times read event by event.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const events = [
  {
    // All in: enqueue, callback or promise, release. PyOpenCL starts a thread for each callback.
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
