// Blocking transfers of 64 MiB, and how long an awaited one keeps JavaScript from running.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const transfers = [
  {
    name: "write-64MiB",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("write-64MiB", "cpp", "pyopencl"),
    target: { times: 1.05, peer: "cpp" },
  },
  {
    name: "read-64MiB",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("read-64MiB", "cpp", "pyopencl"),
    target: { times: 1.05, peer: "cpp" },
  },
  {
    // The longest time between two turns of the event loop while `await queue.read(...)` is under way.
    name: "read-64MiB-stall",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    count: { full: 1, quick: 1 },
    sides: sides("read-64MiB-stall"),
    target: { ours: 2 },
  },
];
