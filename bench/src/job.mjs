// Types of jobs. src/jobs/<package>/index.mjs exports a package's jobs as the array `jobs`.

/**
 * One of the programs compared in a job.
 * @typedef {object} Side
 * @property {string} peer `ours`, `cpp`, `pyopencl`, ...: the child that runs it
 * @property {string} job the job's name in that child
 * @property {string} [prepare] a job of the same child to run before the measurement (kind `once` only)
 */

/**
 * Upper limit: `ours` in the job's unit, or `times` as a multiple of a peer's time.
 * @typedef {{ ours: number } | { times: number, peer: string }} Target
 */

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {"ns" | "us" | "ms" | "KiB" | "%"} unit of the record; children return times in nanoseconds, other units unchanged
 * @property {import("./environments.mjs").EnvironmentName} environment
 * @property {"loop" | "once"} kind `loop`: a request to a warm child; `once`: a new process for each round
 * @property {Record<string, Side>} sides by field of the record; the first is always `ours`
 * @property {{ full: number, quick: number }} [count] units per round; defaults to as many as fill a time slice
 * @property {number} [multiple] the calibrated count is a multiple of this
 * @property {number} [quickMultiple] `multiple` for `--quick`
 * @property {number} [rounds] overrides `--rounds`
 * @property {string} [size] of the record; `#` is replaced by the count
 * @property {boolean} [onRequest] runs only if `--size` selects it
 * @property {boolean} [long] skipped with `--quick`, unless `--job` or `--size` is given
 * @property {readonly string[]} [nodeArguments] Node options for the process of `ours` (kind `once`)
 * @property {Target | readonly Target[]} [target] limits that must all be met
 */

/**
 * Returns the sides of a job that has the same name in each peer.
 * @param {string} job
 * @param {...string} peers in addition to `ours`
 * @returns {Record<string, Side>}
 */
export function sides(job, ...peers) {
  return Object.fromEntries(["ours", ...peers].map((peer) => [peer, { peer, job }]));
}
