import { defineConfig } from "vitest/config";

// `.ci/run` counts tests from this file; the run on the console is the same.
const json = process.env["VITEST_JSON"];

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts"],
    reporters: json === undefined ? ["default"] : ["default", ["json", { outputFile: json }]],
  },
});
