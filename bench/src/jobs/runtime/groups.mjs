// The jobs of the groups array and algorithms, named `<group>/<job>`. Left out are jobs for PoCL's single-threaded driver and
// sizes for GPUs.
import { sides } from "../../job.mjs";
import { jobs as algorithms } from "../algorithms/index.mjs";
import { jobs as array } from "../array/index.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {readonly Job[]} */
export const ofGroups = [...onBoth("array", array), ...onBoth("algorithms", algorithms)];

/**
 * @param {string} group
 * @param {readonly Job[]} jobs
 * @returns {Job[]}
 */
function onBoth(group, jobs) {
  return jobs
    .filter(({ environment, onRequest }) => environment === "default" && onRequest !== true)
    .map((job) => ({
      ...job,
      name: `${group}/${job.name}`,
      sides: sides(/** @type {import("../../job.mjs").Side} */ (job.sides["ours"]).job, "system"),
      target: { times: 1.1, peer: "system" },
    }));
}
