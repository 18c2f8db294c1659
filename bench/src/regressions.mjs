// Whether ours has become slower beside its peers than records of before say. Ratios of one run are compared with ratios of
// another; absolute times never are.

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
 * The ratios that both have, and those of them that are worse now by more than the tolerance, the worst first.
 * @param {readonly BenchRecord[]} records
 * @param {readonly BenchRecord[]} before
 * @returns {{ compared: number, worse: Change[] }}
 */
export function compareRatios(records, before) {
  const known = new Map(before.map((record) => [keyOf(record), record]));
  const changes = records.flatMap((record) =>
    Object.entries(record.ratio).flatMap(([peer, now]) => {
      const then = known.get(keyOf(record))?.ratio[peer];
      return then === undefined ? [] : [{ job: keyOf(record), peer, before: then, now }];
    }),
  );
  const worse = changes.filter((change) => change.now / change.before > tolerance);
  worse.sort((a, b) => b.now / b.before - a.now / a.before);
  return { compared: changes.length, worse };
}

/**
 * @param {ReturnType<typeof compareRatios>} comparison
 * @returns {string}
 */
export function describeComparison({ compared, worse }) {
  const lines = worse.map(
    ({ job, peer, before, now }) =>
      `- ${job}: ${now} × ${peer}, was ${before}: ${(now / before).toFixed(2)} times as much`,
  );
  return [`${compared} ratios compared, ${worse.length} worse by more than ${tolerance}`, ...lines].join("\n");
}

/** @param {BenchRecord} record */
function keyOf(record) {
  return [record.package, record.job, ...(record.size === undefined ? [] : [record.size])].join(" ");
}
