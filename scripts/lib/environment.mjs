// Environments of child processes. A container's user often has no home folder, and most tools need one.
import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the workspace. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the environment for package managers and turbo: no telemetry, and a writable home for caches. */
export function toolEnvironment() {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };
  if (!hasHome()) {
    env.HOME = cacheFolder("home");
    for (const name of ["npm_config_cache", "npm_config_prefix", "npm_config_global_prefix"]) delete env[name];
  }
  return env;
}

/** Returns the environment for programs that use OpenCL: PoCL reports no device if it cannot create its cache folder. */
export function runEnvironment() {
  if (hasHome() || process.env.POCL_CACHE_DIR || process.env.XDG_CACHE_HOME) return process.env;
  return { ...process.env, POCL_CACHE_DIR: cacheFolder("pocl") };
}

function hasHome() {
  if (process.platform === "win32") return true;
  if (!process.env.HOME) return false;
  try {
    accessSync(process.env.HOME, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function cacheFolder(name) {
  const folder = join(root, "node_modules", ".cache", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
