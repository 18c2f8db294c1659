// Detects regressions relative to earlier records. Compares ratios to peers, never absolute times.

import { keyOf } from "./record-file.mjs";

/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */

/**
 * @typedef {object} Change
 * @property {string} job including package and size
 * @property {string} peer
 * @property {number} before ratio ours / peer
 * @property {number} now
 */

/** Noise: ratios of two runs of the same code on one machine differ by up to this factor. */
const tolerance = 1.25;

/**
 * Compares the ratios that both have. Returns those that are worse by more than the tolerance, worst first, and the jobs
 * that were not compared: new ones, and earlier ones missing from this run.
 * @param {readonly BenchRecord[]} records
 * @param {readonly BenchRecord[]} before
 * @param {readonly string[]} [only] parts of the names of the jobs that were run. Defaults to all
 * @returns {{ compared: number, worse: Change[], unknown: string[], missing: string[] }}
 */
export function compareRatios(records, before, only = []) {
  const known = new Map(before.map((record) => [keyOf(record), record]));
  const changes = records.flatMap((record) =>
    Object.entries(record.ratio).flatMap(([peer, now]) => {
      const earlier = known.get(keyOf(record))?.ratio[peer];
      return earlier === undefined ? [] : [{ job: keyOf(record), peer, before: earlier, now }];
    }),
  );
  const worse = changes.filter((change) => change.now / change.before > tolerance);
  worse.sort((a, b) => b.now / b.before - a.now / a.before);
  const unknown = records.map(keyOf).filter((key) => !known.has(key));
  const measured = new Set(records.map(keyOf));
  // A run may be limited to some packages and sizes.
  const groupsRun = new Set(records.map(({ package: name, size }) => `${name} ${size}`));
  const missing = before
    .filter(({ package: name, size }) => groupsRun.has(`${name} ${size}`))
    .filter(({ job }) => only.length === 0 || only.some((text) => job.includes(text)))
    .map(keyOf)
    .filter((key) => !measured.has(key));
  return { compared: changes.length, worse, unknown, missing };
}

/**
 * @param {ReturnType<typeof compareRatios>} comparison
 * @returns {string}
 */
export function describeComparison({ compared, worse, unknown, missing }) {
  const lines = worse.map(
    ({ job, peer, before, now }) =>
      `- ${job}: ${now} × ${peer}, previously ${before} × (${(now / before).toFixed(2)} times as long)`,
  );
  const added = unknown.length === 0 ? [] : [`not in the earlier records: ${unknown.join(", ")}`];
  const removed = missing.length === 0 ? [] : [`only in the earlier records: ${missing.join(", ")}`];
  return [
    `${compared} ratios compared, ${worse.length} worse by more than ${tolerance}`,
    ...lines,
    ...added,
    ...removed,
  ].join("\n");
}
