/** Folders in the user's cache directory for files that other code writes. */
import { accessSync, constants } from "node:fs";

import { type CacheDirectory, chooseCacheDirectory, examineCacheDirectory } from "./cache-directory.js";
import { runSync } from "./either.js";
import { systemCode } from "./files.js";

/**
 * Creates a folder next to the program cache that no other user can write to, and returns its path, or the reason why
 * that is not possible. `CL_CACHE_DIR` sets the location. `CL_NO_CACHE` has no effect, since the folder is not only a cache to
 * the code that needs it.
 */
export function privateFolder(name: string): CacheDirectory {
  const chosen = chooseCacheDirectory({ ...process.env, CL_NO_CACHE: undefined }, process.platform, name);
  if (chosen.path === undefined) return chosen;
  const problem = runSync(examineCacheDirectory(chosen.path, true));
  if (typeof problem === "object") return { path: undefined, reason: problem.reason };
  try {
    accessSync(chosen.path, constants.W_OK | constants.X_OK);
    return chosen;
  } catch (error) {
    return { path: undefined, reason: `${chosen.path} is not writable (${systemCode(error) ?? String(error)})` };
  }
}
