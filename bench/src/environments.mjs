// The environments that children run in. Each answers a different question: the cost of the wrapper, the end-to-end cost of
// a launch, and the cost with default settings.
import { paths } from "./paths.mjs";

/**
 * - `null`: the driver's launches and argument calls are no-ops, so only the wrapper's time remains.
 * - `basic`: PoCL's single-threaded driver, for stable end-to-end times. Other runtimes ignore the variable.
 * - `default`: the runtime's default settings.
 * @typedef {"null" | "basic" | "default"} EnvironmentName
 */

/** @type {readonly EnvironmentName[]} */
export const environmentNames = ["null", "basic", "default"];

/**
 * Returns the environment variables of a child.
 * @param {EnvironmentName} name
 * @param {string} peer
 * @param {string | undefined} nullDriver the path of the null driver's library
 * @param {NodeJS.ProcessEnv} [more] variables of the peer
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(name, peer, nullDriver, more = {}) {
  /** @type {NodeJS.ProcessEnv} */
  const variables = {
    ...process.env,
    ...more,
    CL_BENCH_KERNELS: paths.kernels,
    CL_BENCH_CACHE: paths.cache,
    // A separate cache folder for PoCL, PyOpenCL and @cl/core, which is warm on purpose.
    XDG_CACHE_HOME: paths.cache,
  };
  if (name !== "default") variables["POCL_DEVICES"] = "basic";
  if (name === "null" && nullDriver !== undefined) {
    // @cl/core opens the library by path; the peers are linked to it, so the null driver is preloaded.
    variables[peer === "ours" ? "CL_LIBRARY_PATH" : "LD_PRELOAD"] = nullDriver;
  }
  return variables;
}
