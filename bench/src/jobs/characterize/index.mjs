// The jobs of @cl/characterize: the time of a full measurement and of reading it from the cache. `compare` compares the
// measured values with those of clpeak.
import { sides } from "../../job.mjs";

export { compare } from "../../clpeak/compare.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [
  {
    name: "characterize",
    unit: "ms",
    kind: "once",
    environment: "default",
    long: true,
    rounds: 1,
    sides: sides("characterize"),
    target: { ours: 20_000 },
  },
  {
    name: "characterize-cached",
    unit: "ms",
    kind: "once",
    environment: "default",
    long: true,
    sides: { ours: { peer: "ours", job: "characterize-cached", prepare: "characterize-prepare" } },
    target: { ours: 5 },
  },
];
