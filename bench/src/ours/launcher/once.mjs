// The @cl jobs that need a separate process: `once.mjs <job> <count>`.
import { messageOf } from "../../message.mjs";
import { boundedGrowth, boundedTime, profiledGrowth } from "./bounded.mjs";

const [, , name, count] = process.argv;

const jobs = {
  "bounded-1e6": boundedTime,
  "bounded-1e6-growth": boundedGrowth,
  "step-20-profiled-growth": profiledGrowth,
};

try {
  console.log(`ok ${await jobs[name](Number(count))}`);
} catch (problem) {
  console.log(`error ${messageOf(problem)}`);
  process.exitCode = 1;
}
