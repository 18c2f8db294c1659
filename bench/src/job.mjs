// What a job is. A package's jobs are the default shape of src/jobs/<package>/index.mjs: an array named `jobs`.

/**
 * One of the programs that are compared in a job.
 * @typedef {object} Side
 * @property {string} peer `ours`, `cpp`, `pyopencl`, ...: which child runs it
 * @property {string} job the name by which that child knows it
 * @property {string} [prepare] a job of the same child that runs once before anything is timed (kind `once` only)
 */

/**
 * The figure to reach: `ours` in the job's unit, or at most so many times a peer.
 * @typedef {{ ours: number } | { times: number, peer: string }} Target
 */

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {"ns" | "us" | "ms" | "KiB" | "%"} unit of the record; children answer times in nanoseconds, the rest as is
 * @property {import("./environments.mjs").EnvironmentName} environment
 * @property {"loop" | "once"} kind `loop`: a request to a warm child; `once`: a fresh process for each round
 * @property {Record<string, Side>} sides by the record's field; the first is always `ours`
 * @property {{ full: number, quick: number }} [count] units a round; without it, as many as fill a slice of time
 * @property {number} [multiple] of which a count found by time is made
 * @property {number} [quickMultiple] the same with `--quick`
 * @property {number} [rounds] overrides the command line's
 * @property {string} [size] of the record; `#` stands for the count
 * @property {boolean} [onRequest] left out unless `--size` names its size
 * @property {boolean} [long] left out of `--quick` unless `--job` or `--size` is given, too
 * @property {readonly string[]} [nodeArguments] for the process of ours (kind `once`)
 * @property {Target | readonly Target[]} [target] all of them are to be met
 */

/**
 * The sides of a job that every peer has under the same name.
 * @param {string} job
 * @param {...string} peers besides ours
 * @returns {Record<string, Side>}
 */
export function sides(job, ...peers) {
  return Object.fromEntries(["ours", ...peers].map((peer) => [peer, { peer, job }]));
}
