// Converts samples to a record, one per job. Lower is better.
import { median, quantile, significant } from "./statistics.mjs";

/** @typedef {import("./interleave.mjs").Sample} Sample */

/**
 * `ours`, `cpp`, `pyopencl` and so on are medians in `unit`; missing peers are absent. `ratio` is the median of `ours` / peer
 * over the rounds, by peer.
 * @typedef {object} BenchRecord
 * @property {string} package
 * @property {string} job
 * @property {string} [size]
 * @property {string} [figure] name of the value, if a job measures several
 * @property {number} [ranks] ranks of an MPI job; then `cpp` is a C program
 * @property {string} unit
 * @property {number} [ours]
 * @property {number} [system]
 * @property {number} [cpp]
 * @property {number} [pyopencl]
 * @property {number} [numpy]
 * @property {number} [cupy]
 * @property {Record<string, number>} ratio
 * @property {Record<string, number>} p10
 * @property {Record<string, number>} max
 * @property {Record<string, number>} [process] time of the process from start to exit, for jobs of kind `once`
 * @property {number} rounds
 * @property {string} device
 * @property {string} [mpi] name and version of the MPI
 * @property {"weak" | "strong"} [scaling] whether the problem grows with the ranks
 * @property {Record<string, number>} [efficiency] time on one rank divided by that on `ranks` ranks, and by `ranks` if the problem
 *   does not grow; median over the rounds, by peer
 * @property {number} [hostBytes] bytes that a rank reads from its device for others, and those that it writes, in each unit
 * @property {Record<string, readonly number[]>} [times] those of each round, by peer
 */

const nanosecondsPer = { ns: 1, us: 1e3, ms: 1e6, KiB: 1, "%": 1 };

/**
 * @param {string} packageName
 * @param {import("./job.mjs").Job} job
 * @param {number | undefined} count
 * @param {ReadonlyMap<string, readonly Sample[]>} samples
 * @param {string} device the OpenCL device
 * @returns {BenchRecord}
 */
export function makeRecord(packageName, job, count, samples, device) {
  const scale = nanosecondsPer[job.unit];
  /** @param {(values: readonly number[]) => number} statistic */
  const each = (statistic) => {
    const fields = [...samples].map(([field, all]) => [
      field,
      significant(statistic(all.map(({ value }) => value / scale))),
    ]);
    return Object.fromEntries(fields);
  };
  const size = job.size?.replace("#", `${count}`);
  const process = job.unit === "KiB" ? undefined : processTimes(samples, scale);
  return {
    package: packageName,
    job: job.name,
    ...(size === undefined ? {} : { size }),
    unit: job.unit,
    ...each(median),
    ...extras(samples.get("ours") ?? []),
    ratio: ratios(samples),
    p10: each((values) => quantile(values, 0.1)),
    max: each((values) => Math.max(...values)),
    ...(process === undefined ? {} : { process }),
    rounds: Math.max(0, ...[...samples.values()].map((all) => all.length)),
    device,
  };
}

/**
 * Returns medians of the ratios per round, which cancels changes of the clock frequency between rounds.
 * @param {ReadonlyMap<string, readonly Sample[]>} samples
 */
function ratios(samples) {
  const ours = samples.get("ours");
  /** @type {Record<string, number>} */
  const result = {};
  if (ours === undefined) return result;
  for (const [field, all] of samples) {
    if (field === "ours") continue;
    result[field] = significant(median(ours.map(({ value }, i) => value / (all[i]?.value ?? NaN))));
  }
  return result;
}

/**
 * @param {ReadonlyMap<string, readonly Sample[]>} samples
 * @param {number} scale
 * @returns {Record<string, number> | undefined}
 */
function processTimes(samples, scale) {
  const fields = [...samples].flatMap(([field, all]) => {
    const times = all.flatMap(({ process }) => (process === undefined ? [] : [process / scale]));
    return times.length === 0 ? [] : [[field, significant(median(times))]];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/**
 * Returns additional values of our child in the last round, such as live handles.
 * @param {readonly Sample[]} samples
 */
function extras(samples) {
  return samples.at(-1)?.extras ?? {};
}
