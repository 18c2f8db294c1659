// The @cl jobs that need a separate process: `once.mjs <job> [count]`. @cl/core is imported only after the job's clock has
// started, because the import is part of a warm start.
import { runNamedJob } from "../once.mjs";

await runNamedJob({
  "first-kernel-warm": async () => (await import("./start.mjs")).firstKernel(),
  "build-20-warm": async () => (await import("./start.mjs")).buildTwenty(),
  "drift-launches": async (count) => (await import("./drift.mjs")).driftOfLaunches(count),
  "drift-buffers": async (count) => (await import("./drift.mjs")).driftOfBuffers(count),
  "drift-promises": async (count) => (await import("./drift.mjs")).driftOfPromises(count),
});
