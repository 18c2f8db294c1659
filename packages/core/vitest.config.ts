import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

import { SkipSummary } from "./test/support/skip-summary.js";

// The tests run on the sources; with TEST_BUILT=1 (see scripts/test-built.mjs) on the installed package instead.
const built = process.env["TEST_BUILT"] === "1";

export default defineConfig({
  resolve: {
    alias: built ? {} : { "@cl/core": fileURLToPath(new URL("src/index.ts", import.meta.url)) },
  },
  test: {
    name: "core",
    // Where this is no project of the whole repository's run.
    reporters: ["default", new SkipSummary()],
    include: ["test/**/*.test.ts"],
    exclude: built ? ["test/internal/**"] : [],
    globalSetup: built ? [] : ["scripts/bundle.mjs"],
    // Each file has a process of its own: a crash in a driver is one failed file.
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    typecheck: {
      enabled: true,
      include: ["test/**/*.test-d.ts"],
      exclude: built ? ["test/internal/**"] : [],
      tsconfig: "./tsconfig.test.json",
    },
  },
});
