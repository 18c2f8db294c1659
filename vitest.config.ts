import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { SkipSummary } from "./packages/tools/src/testing/skip-summary.js";
import { reportPage } from "./packages/trace/scripts/report-page.mjs";
import { openclFiles } from "./scripts/lib/opencl-files.mjs";

// The variables are explained in CONTRIBUTING.md and packages/testing/src/level.ts. Vitest's command-line options have no effect on
// projects, so these are variables.
const level = process.env["CL_TEST_LEVEL"] ?? "quick";
// Set by scripts/coverage.mjs.
const usesSources = process.env["CL_TEST_SOURCES"] === "1";
// Set by scripts/test-built.mjs, which runs the tests on the installed packages.
const isBuilt = process.env["TEST_BUILT"] === "1";
// `.ci/run` counts the tests from this file.
const json = process.env["VITEST_JSON"];

const root = fileURLToPath(new URL("./", import.meta.url));
// The packages with the longest tests first.
const names = ["array", "core", "docs", "launcher", "mpi", "tools", "characterize", "cli", "trace", "pocl", "base"];
const sources = [
  { find: "@cl/core/internal", replacement: `${root}packages/core/src/internal.ts` },
  { find: /^@cl\/(\w+)$/, replacement: `${root}packages/$1/src/index.ts` },
  // Must precede the next line, because its modules are files, not folders with an index.
  { find: /^@cl\/testing\/(.+)$/, replacement: `${root}packages/testing/src/$1.ts` },
  { find: /^@cl\/(\w+)\/(\w+)$/, replacement: `${root}packages/$1/src/$2/index.ts` },
];
const tags = [
  { name: "ci", description: "not in a quick run, but in CI" },
  { name: "full", description: "only in a full run: npm run test:all" },
];
const filters: Readonly<Record<string, readonly string[]>> = { quick: ["!ci && !full"], ci: ["ci && !full"] };

/** Runs the files of a project one after the other, so that the processes that they share are started once. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const keyOf = ({ project, moduleId }: TestSpecification) =>
      `${String(names.indexOf(project.name.replace(":internal", ""))).padStart(2)} ${project.name} ${moduleId}`;
    return files.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    // Tests are CPU-bound in compilers. By default vitest leaves one core idle, which is half of a machine with two.
    maxWorkers: "100%",
    projects: [...names.flatMap((name) => [testsOf(name), internalTestsOf(name)]), typeTests()],
    reporters: [
      "default",
      ...(json === undefined ? [] : ["json"]),
      ...(process.env["CL_TEST_SKIPS"] === "1" ? [new SkipSummary()] : []),
    ],
    ...(json === undefined ? {} : { outputFile: json }),
    sequence: { sequencer: ByProject },
    slowTestThreshold: 10_000,
    tags,
  },
});

/** The tests of a package's public symbols. They import the bundles in `dist`, which Node loads without Vite. */
function testsOf(name: string): TestProjectInlineConfiguration {
  return project(
    name,
    name,
    filesIn(name, (path) => !path.startsWith("internal/")),
    {
      onSources: usesSources,
      tagsFilter: filters[level] ?? [],
    },
  );
}

/** The tests of a package's internal modules, which import the sources. */
function internalTestsOf(name: string): TestProjectInlineConfiguration {
  const files = level === "quick" || isBuilt ? [] : filesIn(name, (path) => path.startsWith("internal/"));
  return project(`${name}:internal`, name, files, { onSources: true, tagsFilter: level === "ci" ? ["!full"] : [] });
}

function project(
  title: string,
  name: string,
  include: string[],
  { onSources, tagsFilter }: { readonly onSources: boolean; readonly tagsFilter: readonly string[] },
): TestProjectInlineConfiguration {
  return {
    root: join(root, folderOf(name)),
    resolve: { alias: onSources ? sources : [] },
    plugins: onSources ? [reportPage(), openclFiles()] : [],
    test: {
      name: title,
      include,
      // Tests that use @cl/pocl turn it on.
      env: { CL_POCL: "0" },
      setupFiles: [join(root, "packages/testing/src/setup.ts")],
      globalSetup: isBuilt ? [] : [join(root, "scripts/lib/bundle-packages.mjs")],
      server: { deps: { external: [/packages\/\w+\/dist\//u] } },
      // A crash of a driver fails only one file. A process takes a second to load the packages and a driver's compiler, so in a quick
      // run the files of a project share two.
      pool: "forks",
      isolate: level !== "quick",
      // With this option Vitest ends processes by exit(), where gcov writes its counters, instead of a signal.
      execArgv: usesSources ? [`--diagnostic-dir=${tmpdir()}`] : [],
      // Long enough for a busy machine, which is ten times slower than an idle one.
      testTimeout: 180_000,
      hookTimeout: 240_000,
      tags,
      // Vitest reads this for each project, but its types have it only on the command line.
      ...({ tagsFilter } as object),
    },
  };
}

/** The tests of types, which one run of the TypeScript compiler checks. */
function typeTests(): TestProjectInlineConfiguration {
  const include = level === "quick" || level === "full" ? ["packages/*/test/**/*.test-d.ts"] : [];
  return {
    test: {
      name: "types",
      include: [],
      typecheck: { enabled: true, only: true, include, tsconfig: join(root, "tsconfig.types.json") },
    },
  };
}

/**
 * Returns the test files of a package that this run needs, so that no process is started for others. They are found by the text of their
 * tags: `@module-tag ci`, or "ci" in quotes.
 */
function filesIn(name: string, isIncluded: (path: string) => boolean): string[] {
  const folder = join(root, folderOf(name), "test");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".test.ts") && isIncluded(path) && isNeeded(path, join(folder, path)))
    .map((path) => `test/${path}`);
}

function isNeeded(path: string, file: string): boolean {
  if (level === "full") return true;
  const text = readFileSync(file, "utf8");
  if (level === "random") return /\btestSeed\b|"fast-check"/.test(text);
  if (level === "every") return text.includes("testsEveryCase");
  const tag = /@module-tag (\w+)/.exec(text)?.[1];
  if (level === "quick") return tag === undefined;
  return tag !== "full" && (path.startsWith("internal/") || tag === "ci" || text.includes('"ci"'));
}

function folderOf(name: string): string {
  return name === "docs" ? "docs" : `packages/${name}`;
}
