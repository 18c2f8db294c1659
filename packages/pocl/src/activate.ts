/** Adds the packaged PoCL to the runtimes of `@cl/core`. */
import { addRuntime, NoRuntimeError } from "@cl/core";
import { privateFolder } from "@cl/core/internal";

import { findLibrary } from "./find-library.js";
import { wrongCLibrary } from "./c-library.js";

/**
 * Adds the packaged PoCL, unless the environment variable `CL_POCL` is `0`.
 *
 * @throws {@link NoRuntimeError} if it cannot work on this system.
 */
export function activate(): void {
  if (process.env["CL_POCL"] === "0") return;
  const library = findLibrary();
  const environment = { POCL_CACHE_DIR: process.env["POCL_CACHE_DIR"] || cacheFolder() };
  try {
    addRuntime(library, { name: "@cl/pocl", environment });
  } catch (error) {
    throw wrongCLibrary() ?? error;
  }
}

/**
 * Returns a folder for compiled kernels that no other user can write to. By default PoCL uses a folder that it shares with
 * other versions and, without HOME, one in /tmp that another user may have created.
 */
function cacheFolder(): string {
  const folder = privateFolder("pocl");
  if (folder.path !== undefined) return folder.path;
  throw new NoRuntimeError(
    `@cl/pocl has no folder for compiled kernels: ${folder.reason}. Set CL_CACHE_DIR to a folder that only you can write to, or CL_POCL=0 to run without @cl/pocl.`,
    [folder.reason],
  );
}
