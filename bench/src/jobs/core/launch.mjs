// Launches of one tiny kernel (64 work-items, four arguments) in batches of 500 that end with a finish. Each job is
// measured end to end and, as `-null`, with a driver that does nothing.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

const batch = 500;

/**
 * @param {string} name
 * @param {Record<string, import("../../job.mjs").Side>} jobSides
 * @param {{ nanoseconds: number, timesCpp: number }} targets
 * @returns {Job[]}
 */
function both(name, jobSides, targets) {
  /** @type {Pick<Job, "unit" | "kind" | "sides" | "multiple">} */
  const shared = { unit: "ns", kind: "loop", sides: jobSides, multiple: batch };
  return [
    { ...shared, name, environment: "basic", target: { times: targets.timesCpp, peer: "cpp" } },
    { ...shared, name: `${name}-null`, environment: "null", target: { ours: targets.nanoseconds } },
  ];
}

// PyOpenCL's default use, without declared argument types, takes ten times as long; both are measured.
const untyped = { pyopencl_untyped: { peer: "pyopencl", job: "launch-4args-untyped" } };

/** @type {readonly Job[]} */
export const launches = [
  ...both(
    "launch-4args",
    { ...sides("launch-4args", "cpp", "pyopencl"), ...untyped },
    { nanoseconds: 100, timesCpp: 1.2 },
  ),
  // After launches with other arguments, sizes and queues in the same process, as in a program.
  {
    name: "launch-4args-mixed-null",
    unit: "ns",
    kind: "loop",
    environment: "null",
    multiple: batch,
    sides: { ours: { peer: "ours", job: "launch-4args-mixed" }, cpp: { peer: "cpp", job: "launch-4args" } },
    target: { ours: 100 },
  },
  ...both("launch-bound", sides("launch-bound", "cpp", "pyopencl"), { nanoseconds: 30, timesCpp: 1.15 }),
  // A unit is one kernel of the list.
  ...both("list-20", sides("list-20", "cpp", "pyopencl"), { nanoseconds: 6, timesCpp: 1.03 }),
  {
    name: "launch-finish",
    unit: "ns",
    kind: "loop",
    environment: "basic",
    multiple: 100,
    sides: sides("launch-finish", "cpp", "pyopencl"),
    target: { times: 1.4, peer: "cpp" },
  },
];
