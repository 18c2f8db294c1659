// The @cl jobs that need a separate process: `once.mjs <job> [count]`. @cl/core is imported only after the job's clock has
// started, because the import is part of a warm start.
import { messageOf } from "../../message.mjs";

const [, , name, count] = process.argv;

const jobs = {
  "first-kernel-warm": async () => (await import("./start.mjs")).firstKernel(),
  "build-20-warm": async () => (await import("./start.mjs")).buildTwenty(),
  "drift-launches": async () => (await import("./drift.mjs")).driftOfLaunches(Number(count)),
  "drift-buffers": async () => (await import("./drift.mjs")).driftOfBuffers(Number(count)),
  "drift-promises": async () => (await import("./drift.mjs")).driftOfPromises(Number(count)),
};

try {
  console.log(`ok ${await jobs[name]()}`);
} catch (problem) {
  console.log(`error ${messageOf(problem)}`);
  process.exitCode = 1;
}
