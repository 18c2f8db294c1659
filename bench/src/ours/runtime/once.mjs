// The @cl jobs that need a separate process: `once.mjs <job> [count]`. Each has a temporary folder.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { firstKernel } from "../core/start.mjs";
import { runNamedJob } from "../once.mjs";
import { now } from "../serve.mjs";

await runNamedJob({
  "first-kernel-cold": () =>
    inFolder((folder) => {
      process.env.CL_CACHE_DIR = join(folder, "cl");
      process.env.POCL_CACHE_DIR = join(folder, "pocl");
      return firstKernel();
    }),

  "gray-scott": (steps) =>
    inFolder(async (folder) => {
      const start = now();
      const { demo } = await import("../../../../examples/gray-scott/dist/demo.js");
      await demo({ steps, size: 256, out: folder });
      return now() - start;
    }),
});

/** @param {(folder: string) => Promise<number>} run */
async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), "cl-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
