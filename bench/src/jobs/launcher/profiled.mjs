// Steps of twenty kernels on a profiling queue. C++ and PyOpenCL create an event per kernel and read its times after the
// finish; ours records statistics automatically and reads them once at the end. A unit is one kernel.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {readonly Job[]} */
export const profiled = [
  {
    name: "step-20-profiled",
    unit: "ns",
    kind: "loop",
    environment: "basic",
    multiple: 500,
    sides: {
      ...sides("step-20-profiled", "cpp", "pyopencl"),
      // With a profiler without a trace, and with one that traces individual commands.
      profiler: { peer: "ours", job: "step-20-profiler" },
      traced: { peer: "ours", job: "step-20-traced" },
    },
    target: { times: 1.15, peer: "cpp" },
  },
  {
    name: "step-20-profiled-growth",
    size: "# launches",
    unit: "KiB",
    kind: "once",
    environment: "default",
    rounds: 1,
    count: { full: 1_000_000, quick: 100_000 },
    nodeArguments: ["--expose-gc"],
    sides: sides("step-20-profiled-growth"),
    target: { ours: 2048 },
  },
  {
    // Reads the statistics of a list of twenty kernels.
    name: "statistics-read",
    unit: "us",
    kind: "loop",
    environment: "basic",
    sides: sides("statistics-read"),
    target: { ours: 50 },
  },
];
