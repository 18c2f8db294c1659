/** The library under test, and child processes that use it. */
import { needs, type Run } from "@cl/base/testing";
import { lastResult, runModule } from "@cl/testing/run-module";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Platforms that have a library. */
export const platforms = ["linux-x64", "linux-arm64"] as const;

/** Skips the test if the library is not built for this computer's platform. Returns the folder of its package. */
export function needsLibrary(run: Run): string {
  const own = `${process.platform}-${process.arch}`;
  const platform = platforms.find((name) => name === own);
  if (platform === undefined) run.skip(`@cl/pocl has no library for ${own}`);
  return needsLibraryFor(run, platform);
}

/** Skips the test if the library is not built for a platform. Returns the folder of its package. */
export function needsLibraryFor(run: Run, platform: (typeof platforms)[number]): string {
  const folder = packageFolder(`@cl/pocl-${platform}`);
  if (folder === undefined) run.skip(`@cl/pocl-${platform} is not installed`);
  const built = existsSync(join(folder, "lib/libpocl.so"));
  needs(run, built, `the library is not built: node scripts/build-pocl.mjs --target ${platform}`);
  return folder;
}

/** Returns the folder of a package, or undefined if npm has not installed it, because it is for another processor. */
function packageFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** Runs a module with the library as its only OpenCL runtime and an empty kernel cache. Returns its last line as JSON. */
export async function runOnLibrary(folder: string, source: string): Promise<unknown> {
  return lastResult(await runModule({ source: `${prelude}\n${source}`, env: environmentOf(folder) }));
}

/** Returns the environment variables that select the library. */
export function environmentOf(folder: string): Record<string, string | undefined> {
  return { CL_LIBRARY_PATH: join(folder, "lib/libpocl.so"), POCL_CACHE_DIR: undefined };
}

/** Variables that the modules use. The kernel cache is removed at the end. */
const prelude = `
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const cache = mkdtempSync(join(tmpdir(), "cl-pocl-test-"));
process.on("exit", () => rmSync(cache, { recursive: true, force: true }));
process.env.POCL_CACHE_DIR = cache;
const context = Context.create();
const queue = new CommandQueue(context);
`;
