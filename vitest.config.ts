import { defineConfig } from "vitest/config";

import { SkipSummary } from "./packages/tools/src/testing/skip-summary.js";

// `.ci/run` counts the tests from this file.
const json = process.env["VITEST_JSON"];

export default defineConfig({
  test: {
    // Tests are CPU-bound in compilers. By default vitest leaves one core idle, which is half of a machine with two.
    maxWorkers: "100%",
    projects: ["packages/*/vitest.config.ts", "docs/vitest.config.ts"],
    reporters: ["default", new SkipSummary(), ...(json === undefined ? [] : [["json", { outputFile: json }] as const])],
  },
});
