/** The library under test, and child processes that use it. */
import { needs, type Run } from "@cl/base/testing";
import { lastResult, runModule } from "@cl/testing/run-module";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Skips the test if the library is not built for this platform. Returns the folder of its package. */
export function needsLibrary(run: Run): string {
  const platform = `${process.platform}-${process.arch}`;
  needs(run, platform === "linux-x64", `@cl/pocl has no library for ${platform}`);
  const folder = dirname(createRequire(import.meta.url).resolve("@cl/pocl-linux-x64/package.json"));
  needs(run, existsSync(join(folder, "lib/libpocl.so")), "the library is not built: node scripts/build-pocl.mjs");
  return folder;
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
