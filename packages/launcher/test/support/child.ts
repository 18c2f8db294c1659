import { lastResult, runModule } from "@cl/testing/run-module";

/** Runs the text of an ES module on the built package, with this process's cache, and returns its last line as JSON. */
export async function resultOfModule(
  source: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<unknown> {
  const cache = { CL_NO_CACHE: process.env["CL_NO_CACHE"] };
  // The package's folder, so that its name and that of core resolve.
  const from = new URL("../..", import.meta.url);
  return lastResult(await runModule({ source, from, env: { ...cache, ...env }, limit: 25_000 }));
}
