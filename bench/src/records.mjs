// From samples to the record that is written: one a job, lower is better.
import { median, quantile, significant } from "./statistics.mjs";

/** @typedef {import("./interleave.mjs").Sample} Sample */

/**
 * `ours`, `cpp`, `pyopencl` and so on are the medians, in `unit`; a peer that was not there is absent.
 * `ratio` holds for each peer the median over the rounds of ours / peer.
 * @typedef {object} BenchRecord
 * @property {string} package
 * @property {string} job
 * @property {string} [size]
 * @property {string} [figure] name of the value, if a job measures several
 * @property {string} unit
 * @property {number} [ours]
 * @property {number} [cpp]
 * @property {number} [pyopencl]
 * @property {number} [numpy]
 * @property {number} [cupy]
 * @property {Record<string, number>} ratio
 * @property {Record<string, number>} p10
 * @property {Record<string, number>} max
 * @property {Record<string, number>} [process] whole processes, start to exit, for jobs that have one a round
 * @property {number} rounds
 * @property {string} device
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
  /** @param {(values: readonly number[]) => number} of */
  const each = (of) => {
    const fields = [...samples].map(([field, all]) => [field, significant(of(all.map(({ value }) => value / scale)))]);
    return Object.fromEntries(fields);
  };
  const size = job.size?.replace("#", `${count}`);
  const whole = job.unit === "KiB" ? undefined : processTimes(samples, scale);
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
    ...(whole === undefined ? {} : { process: whole }),
    rounds: Math.max(0, ...[...samples.values()].map((all) => all.length)),
    device,
  };
}

/**
 * Round by round, then the median: a change of the clock between rounds then cancels.
 * @param {ReadonlyMap<string, readonly Sample[]>} samples
 */
function ratios(samples) {
  const own = samples.get("ours");
  /** @type {Record<string, number>} */
  const result = {};
  if (own === undefined) return result;
  for (const [field, all] of samples) {
    if (field === "ours") continue;
    result[field] = significant(median(own.map(({ value }, i) => value / (all[i]?.value ?? NaN))));
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
 * What our child says besides its figure (live handles, for one): the last round's.
 * @param {readonly Sample[]} samples
 */
function extras(samples) {
  return samples.at(-1)?.extras ?? {};
}
