// Loads the jobs of a package.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { paths } from "./paths.mjs";

/** @typedef {import("./job.mjs").Job} Job */

/**
 * @param {string} packageName
 * @returns {Promise<{ jobs: readonly Job[], measures?: string, library?: string, compare?: typeof import("./clpeak/compare.mjs").compare }>}
 */
export async function loadJobs(packageName) {
  return import(pathToFileURL(join(paths.jobs, packageName, "index.mjs")).href);
}
