// The @cl jobs that need a separate process: `once.mjs <job> <count>`.
import { runNamedJob } from "../once.mjs";
import { boundedGrowth, boundedTime, profiledGrowth } from "./bounded.mjs";

await runNamedJob({
  "bounded-1e6": boundedTime,
  "bounded-1e6-growth": boundedGrowth,
  "step-20-profiled-growth": profiledGrowth,
});
