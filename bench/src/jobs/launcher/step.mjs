// Steps of twenty tiny kernels (64 work-items, four arguments) in batches of 25 steps that end with a finish. A unit is
// one kernel. Each job is measured end to end and, as `-null`, with a driver that does nothing.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

// Minimum ratio to PyOpenCL when a scalar of each kernel changes per step.
const slower = { endToEnd: 2.2, wrapper: 75 };

/**
 * @param {string} name
 * @param {{ nanoseconds: number, timesCpp: number, patched?: boolean }} targets
 * @param {Job["sides"]} more
 * @returns {Job[]}
 */
function both(name, targets, more = {}) {
  /** @type {Pick<Job, "unit" | "kind" | "sides" | "multiple">} */
  const shared = { unit: "ns", kind: "loop", sides: { ...sides(name, "cpp", "pyopencl"), ...more }, multiple: 500 };
  /** @param {number} times */
  const than = (times) => (targets.patched ? [{ times: 1 / times, peer: "pyopencl" }] : []);
  return [
    {
      ...shared,
      name,
      environment: "basic",
      target: [{ times: targets.timesCpp, peer: "cpp" }, ...than(slower.endToEnd)],
    },
    {
      ...shared,
      name: `${name}-null`,
      environment: "null",
      target: [{ ours: targets.nanoseconds }, ...than(slower.wrapper)],
    },
  ];
}

/** @type {readonly Job[]} */
export const steps = [
  ...both("step-20-fixed", { nanoseconds: 6, timesCpp: 1.03 }),
  // A scalar of each kernel changes in each step.
  ...both(
    "step-20-patched",
    { nanoseconds: 14, timesCpp: 1.05, patched: true },
    // The values come from an object with a property for each.
    { named: { peer: "ours", job: "step-20-named" } },
  ),
  // One scalar that all kernels share.
  ...both("step-20-shared", { nanoseconds: 14, timesCpp: 1.05, patched: true }),
];
