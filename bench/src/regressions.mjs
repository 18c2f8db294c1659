// Whether ours has become slower beside its peers than records of before say. Ratios of one run are compared with ratios of
// another; absolute times never are.

import { keyOf } from "./record-file.mjs";

/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */

/**
 * @typedef {object} Change
 * @property {string} job with its package and size
 * @property {string} peer
 * @property {number} before the ratio ours / peer
 * @property {number} now
 */

/** Ratios of two runs on one machine differ by so much without any reason in the code. */
const tolerance = 1.25;

/**
 * The ratios that both have, those of them that are worse now by more than the tolerance, the worst first, and the jobs that
 * were not compared: those that are new, and those of before that are missing in what was run.
 * @param {readonly BenchRecord[]} records
 * @param {readonly BenchRecord[]} before
 * @param {readonly string[]} [only] jobs that were run, by a part of their names; all if there is none
 * @returns {{ compared: number, worse: Change[], unknown: string[], missing: string[] }}
 */
export function compareRatios(records, before, only = []) {
  const known = new Map(before.map((record) => [keyOf(record), record]));
  const changes = records.flatMap((record) =>
    Object.entries(record.ratio).flatMap(([peer, now]) => {
      const then = known.get(keyOf(record))?.ratio[peer];
      return then === undefined ? [] : [{ job: keyOf(record), peer, before: then, now }];
    }),
  );
  const worse = changes.filter((change) => change.now / change.before > tolerance);
  worse.sort((a, b) => b.now / b.before - a.now / a.before);
  const unknown = records.map(keyOf).filter((key) => !known.has(key));
  const measured = new Set(records.map(keyOf));
  // A run may be of some packages and sizes.
  const ran = new Set(records.map(({ package: name, size }) => `${name} ${size}`));
  const missing = before
    .filter(({ package: name, size }) => ran.has(`${name} ${size}`))
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
      `- ${job}: ${now} × ${peer}, was ${before}: ${(now / before).toFixed(2)} times as much`,
  );
  const unseen = unknown.length === 0 ? [] : [`not in the records of before: ${unknown.join(", ")}`];
  const gone = missing.length === 0 ? [] : [`only in the records of before: ${missing.join(", ")}`];
  return [
    `${compared} ratios compared, ${worse.length} worse by more than ${tolerance}`,
    ...lines,
    ...unseen,
    ...gone,
  ].join("\n");
}
