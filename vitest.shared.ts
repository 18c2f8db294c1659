/** Shared vitest configuration of all packages. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProjectInlineConfiguration } from "vitest/config";

import { isDrawn } from "./packages/testing/src/drawn.js";
import { reportPage } from "./packages/trace/scripts/report-page.mjs";
import { SkipSummary } from "./packages/tools/src/testing/skip-summary.js";
import { openclFiles } from "./scripts/lib/opencl-files.mjs";

// With TEST_BUILT=1 (see scripts/test-built.mjs), the tests run on the installed packages. A full run (see CONTRIBUTING.md)
// uses the sources, a quick one the bundles in dist, which each of hundreds of processes loads in a fraction of the time.
// TEST_INTERNAL=0 leaves out the tests of single modules, so that a full run can use the bundles too; TEST_INTERNAL=only
// leaves out all others. These and TEST_TYPES=0 are variables because vitest's options have no effect on projects.
const built = process.env["TEST_BUILT"] === "1";
const full = Number(process.env["CL_TEST_LONG"] ?? 0) > 0 && !built;
const internal = process.env["TEST_INTERNAL"];
const onSources = full && internal !== "0";
// A quick run leaves out what other tests use as well: single modules, which import the sources, ports of PyOpenCL's tests,
// and kernels for other kinds of devices.
const exclude = [...(onSources ? [] : ["test/internal/**"]), ...(full ? [] : ["test/pyopencl/**", "test/families/**"])];
const folder = onSources && internal === "only" ? "test/internal" : "test";
const packages = fileURLToPath(new URL("packages/", import.meta.url));
const bundles = fileURLToPath(new URL("scripts/lib/bundle-packages.mjs", import.meta.url));
const sources = [
  { find: "@cl/core/internal", replacement: `${packages}core/src/internal.ts` },
  { find: /^@cl\/(\w+)$/, replacement: `${packages}$1/src/index.ts` },
  // Must precede the next line, because its modules are files, not folders with an index.
  { find: /^@cl\/testing\/(.+)$/, replacement: `${packages}testing/src/$1.ts` },
  { find: /^@cl\/(\w+)\/(\w+)$/, replacement: `${packages}$1/src/$2/index.ts` },
];

/**
 * Returns the files that a run leaves out in CI, since all of array's take most of an hour. The commit draws half of them for the full
 * run, and a third of the comparisons with NumPy and PyOpenCL and of the kernels for other kinds of devices. The quick run on the
 * packed package has those that the next number draws, so that each commit runs all other files.
 */
function leftOut(name: string): readonly string[] {
  if (name !== "array" || internal === "only" || process.env["CL_TEST_SEED"] === undefined) return [];
  if (!full && !built) return [];
  const files = readdirSync(`${packages}array/test`, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `test/${file}`)
    .filter((file) => !isDrawn(`/${file}`, isComparison(file) ? 3 : 2, built ? 1 : 0));
}

function isComparison(file: string): boolean {
  return /-numpy\.test\.ts$|^test\/(families|pyopencl)\//.test(file);
}

/** Returns the configuration of a package's tests. */
export function testsOf(name: string): TestProjectInlineConfiguration {
  return {
    resolve: { alias: onSources ? sources : [] },
    plugins: onSources ? [reportPage(), openclFiles()] : [],
    test: {
      name,
      // Used when vitest runs in the package's folder.
      reporters: ["default", new SkipSummary()],
      // Tests that use @cl/pocl turn it on.
      env: { CL_POCL: "0" },
      include: [`${folder}/**/*.test.ts`],
      exclude: [...exclude, ...leftOut(name)],
      globalSetup: built ? [] : [bundles],
      // Node loads the bundles without Vite.
      server: { deps: { external: [/packages\/\w+\/dist\//u] } },
      // Each file runs in a separate process, so that a driver crash fails only that file.
      pool: "forks",
      // Long enough for a busy machine, which is ten times slower than an idle one.
      testTimeout: 120_000,
      hookTimeout: 240_000,
      typecheck: {
        enabled: process.env["TEST_TYPES"] !== "0",
        include: [`${folder}/**/*.test-d.ts`],
        exclude,
        tsconfig: "./tsconfig.test.json",
      },
    },
  } as TestProjectInlineConfiguration;
}
