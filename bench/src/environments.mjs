// The environments that children run in. Each measurement is bound to one, because each of them answers another
// question: what does the wrapper cost, what does a launch cost end to end, what does a user's default run cost.
import { paths } from "./paths.mjs";

/**
 * - `null`: launches and arguments are no-ops; what is left is the wrapper's own time.
 * - `basic`: PoCL's single-threaded driver, end to end and steady. Other runtimes ignore the variable.
 * - `default`: as a user has it.
 * @typedef {"null" | "basic" | "default"} EnvironmentName
 */

/** @type {readonly EnvironmentName[]} */
export const environmentNames = ["null", "basic", "default"];

/**
 * The variables of a child.
 * @param {EnvironmentName} name
 * @param {string} peer
 * @param {string | undefined} nullDriver the path of the null driver's library
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(name, peer, nullDriver) {
  /** @type {NodeJS.ProcessEnv} */
  const variables = {
    ...process.env,
    CL_BENCH_KERNELS: paths.kernels,
    CL_BENCH_CACHE: paths.cache,
    // PoCL, PyOpenCL and @cl/core all keep their caches under this: ours, warm by intent and nobody else's.
    XDG_CACHE_HOME: paths.cache,
  };
  if (name !== "default") variables["POCL_DEVICES"] = "basic";
  if (name === "null" && nullDriver !== undefined) {
    // @cl/core opens its library by path; the peers are linked, so theirs is put before the real one.
    variables[peer === "ours" ? "CL_LIBRARY_PATH" : "LD_PRELOAD"] = nullDriver;
  }
  return variables;
}
