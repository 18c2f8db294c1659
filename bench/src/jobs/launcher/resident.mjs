// Steps of the heat equation: ours as one kernel whose work-groups stay on the device, C++ as twenty launches. A unit is one
// of the twenty.
/** @typedef {import("../../job.mjs").Job} Job */

/** @type {readonly Job[]} */
export const resident = [64, 256, 512, 1024].map((n) => ({
  name: "step-20-resident",
  size: `${n}²`,
  unit: "us",
  kind: "loop",
  environment: "default",
  multiple: 20,
  sides: {
    ours: { peer: "ours", job: `step-20-resident-${n}` },
    cpp: { peer: "cpp", job: `step-20-resident-${n}` },
    // The same list without resident().
    list: { peer: "ours", job: `step-20-list-${n}` },
  },
  target: { times: 1, peer: "cpp" },
}));
