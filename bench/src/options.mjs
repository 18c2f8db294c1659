// The command line.
import { parseArgs } from "node:util";

export const usage = `npm run bench -- [options]
  --only PACKAGE   one package's jobs: core, array, ... (may be given again)
  --job TEXT       only jobs whose name contains TEXT (may be given again)
  --size SIZE      only jobs of that size, such as 1e8, which nothing else runs (may be given again)
  --without PEER   leaves a peer out, such as NumPy where it would take minutes (may be given again)
  --quick          one size a job, few and short rounds: a look, not a result
  --rounds N       rounds a job (5 or more)
  --json FILE      write the records there, after each job
  --plot FOLDER    write pictures there: bars of ratios, curves over sizes
  --against FILE   compare ratios with records of before; ends with 1 if some are worse (may be given again)
  --from FILE      take records from there instead of measuring (may be given again)`;

/**
 * @typedef {object} Options
 * @property {readonly string[]} only
 * @property {readonly string[]} job
 * @property {readonly string[]} size
 * @property {readonly string[]} without
 * @property {boolean} quick
 * @property {number} rounds
 * @property {string} [json]
 * @property {string} [plot]
 * @property {readonly string[]} against
 * @property {readonly string[]} from
 */

/**
 * @param {readonly string[]} args
 * @returns {Options | undefined} undefined when only help was asked for
 */
export function parseOptions(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", multiple: true, default: [] },
      job: { type: "string", multiple: true, default: [] },
      size: { type: "string", multiple: true, default: [] },
      without: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      json: { type: "string" },
      plot: { type: "string" },
      against: { type: "string", multiple: true, default: [] },
      from: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds ?? (values.quick ? 5 : 15));
  if (!Number.isInteger(rounds) || rounds < 5) throw new RangeError("--rounds must be a whole number, 5 or more");
  return { ...values, rounds };
}
