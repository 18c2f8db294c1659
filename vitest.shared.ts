/** Shared vitest configuration of all packages. */
import { fileURLToPath } from "node:url";
import type { TestProjectInlineConfiguration } from "vitest/config";

import { reportPage } from "./packages/launcher/scripts/report-page.mjs";
import { SkipSummary } from "./packages/tools/src/testing/skip-summary.js";

// The tests run on the sources; with TEST_BUILT=1 (see scripts/test-built.mjs) on the installed packages instead.
const built = process.env["TEST_BUILT"] === "1";
// TEST_INTERNAL=0 skips the tests of internal modules; vitest's `--exclude` has no effect on projects.
const withInternal = !built && process.env["TEST_INTERNAL"] !== "0";
const packages = fileURLToPath(new URL("packages/", import.meta.url));
const sources = [
  { find: "@cl/core/internal", replacement: `${packages}core/src/internal.ts` },
  { find: /^@cl\/(\w+)$/, replacement: `${packages}$1/src/index.ts` },
  // Must precede the next line, because its modules are files, not folders with an index.
  { find: /^@cl\/testing\/(.+)$/, replacement: `${packages}testing/src/$1.ts` },
  { find: /^@cl\/(\w+)\/(\w+)$/, replacement: `${packages}$1/src/$2/index.ts` },
];

/** Returns the configuration of a package's tests. `globalSetup` applies only to tests on the sources. */
export function testsOf(name: string, globalSetup: readonly string[] = []): TestProjectInlineConfiguration {
  const exclude = withInternal ? [] : ["test/internal/**"];
  return {
    resolve: { alias: built ? [] : sources },
    plugins: built ? [] : [reportPage()],
    test: {
      name,
      // Used when vitest runs in the package's folder.
      reporters: ["default", new SkipSummary()],
      // Tests that use @cl/pocl turn it on.
      env: { CL_POCL: "0" },
      include: ["test/**/*.test.ts"],
      exclude,
      globalSetup: built ? [] : [...globalSetup],
      // Each file runs in a separate process, so that a driver crash fails only that file.
      pool: "forks",
      // Long enough for a busy machine, which is ten times slower than an idle one.
      testTimeout: 120_000,
      hookTimeout: 240_000,
      typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], exclude, tsconfig: "./tsconfig.test.json" },
    },
  } as TestProjectInlineConfiguration;
}
