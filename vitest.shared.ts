/** What the tests of all packages have in common. */
import { fileURLToPath } from "node:url";
import type { TestProjectInlineConfiguration } from "vitest/config";

import { reportPage } from "./packages/launcher/scripts/report-page.mjs";
import { SkipSummary } from "./packages/tools/src/testing/skip-summary.js";

// The tests run on the sources; with TEST_BUILT=1 (see scripts/test-built.mjs) on the installed packages instead.
const built = process.env["TEST_BUILT"] === "1";
// TEST_INTERNAL=0 leaves out the tests of modules that users do not see; vitest's `--exclude` would not be heard.
const withInternal = !built && process.env["TEST_INTERNAL"] !== "0";
const packages = fileURLToPath(new URL("packages/", import.meta.url));
const sources = [
  { find: "@cl/core/internal", replacement: `${packages}core/src/internal.ts` },
  { find: /^@cl\/(\w+)$/, replacement: `${packages}$1/src/index.ts` },
  // Before the next line, since its modules are no folders with an index.
  { find: /^@cl\/testing\/(.+)$/, replacement: `${packages}testing/src/$1.ts` },
  { find: /^@cl\/(\w+)\/(\w+)$/, replacement: `${packages}$1/src/$2/index.ts` },
];

/** The configuration of a package's tests. On the sources, `globalSetup` is what comes before them. */
export function testsOf(name: string, globalSetup: readonly string[] = []): TestProjectInlineConfiguration {
  const exclude = withInternal ? [] : ["test/internal/**"];
  return {
    resolve: { alias: built ? [] : sources },
    plugins: built ? [] : [reportPage()],
    test: {
      name,
      // Where this is no project of the whole repository's run.
      reporters: ["default", new SkipSummary()],
      include: ["test/**/*.test.ts"],
      exclude,
      globalSetup: built ? [] : [...globalSetup],
      // Each file has a process of its own: a crash in a driver is one failed file.
      pool: "forks",
      // For what hangs: a busy machine takes ten times as long as a quiet one.
      testTimeout: 120_000,
      hookTimeout: 240_000,
      typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], exclude, tsconfig: "./tsconfig.test.json" },
    },
  } as TestProjectInlineConfiguration;
}
