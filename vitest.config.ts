import { defineConfig } from "vitest/config";

import { SkipSummary } from "./packages/tools/src/testing/skip-summary.js";

// `.ci/run` counts tests from this file; the run on the console is the same.
const json = process.env["VITEST_JSON"];

export default defineConfig({
  test: {
    // Most of a test's time is one core's, in a compiler; vitest leaves a core free if not told, which is half of two.
    maxWorkers: "100%",
    projects: ["packages/*/vitest.config.ts", "docs/vitest.config.ts"],
    reporters: ["default", new SkipSummary(), ...(json === undefined ? [] : [["json", { outputFile: json }] as const])],
  },
});
