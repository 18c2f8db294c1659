// One kernel over all combinations of 10 and 100 values of two scalars, then a finish. A unit is one combination.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {Pick<Job, "unit" | "kind" | "multiple">} */
const shared = { unit: "ns", kind: "loop", multiple: 1000 };

const generators = {
  ...sides("iterate-1000", "cpp", "pyopencl"),
  // The same values from arrays.
  arrays: { peer: "ours", job: "iterate-1000-arrays" },
};

/** @type {readonly Job[]} */
export const iterations = [
  {
    ...shared,
    name: "iterate-1000",
    environment: "basic",
    sides: generators,
    target: { times: 1.1, peer: "cpp" },
  },
  { ...shared, name: "iterate-1000-null", environment: "null", sides: generators },
];
