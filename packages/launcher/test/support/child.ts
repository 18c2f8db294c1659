import { lastResult, runModule } from "@cl/testing/run-module";

/** Runs an ES module on the built package with this process's cache, and parses its last output line as JSON. */
export async function resultOfModule(
  source: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<unknown> {
  const cache = { CL_NO_CACHE: process.env["CL_NO_CACHE"] };
  // @cl/launcher and @cl/core resolve from the package's folder.
  const from = new URL("../..", import.meta.url);
  return lastResult(await runModule({ source, from, env: { ...cache, ...env }, limit: 25_000 }));
}
