// Launches of one launcher whose sizes are not known before: functions of arguments, and sizes of one launch. Without the
// driver; `fixed` is the same launcher with its own sizes.
/** @typedef {import("../../job.mjs").Job} Job */

/** @type {Pick<Job, "unit" | "kind" | "multiple" | "environment" | "target">} */
const shared = { unit: "ns", kind: "loop", multiple: 500, environment: "null", target: { ours: 1000 } };
const fixed = { peer: "ours", job: "sizes-fixed" };

/** @type {readonly Job[]} */
export const sizes = [
  { ...shared, name: "sizes-function-null", sides: { ours: { peer: "ours", job: "sizes-function" }, fixed } },
  { ...shared, name: "sizes-override-null", sides: { ours: { peer: "ours", job: "sizes-override" }, fixed } },
];
