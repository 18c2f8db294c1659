// Command-line options.
import { parseArgs } from "node:util";

export const usage = `npm run bench -- [options]
  --only PACKAGE   run only this package's jobs: core, array, ... (repeatable)
  --job TEXT       run only jobs whose name contains TEXT (repeatable)
  --size SIZE      run only jobs of this size; the only way to run 1e8 (repeatable)
  --without PEER   skip a peer, such as numpy, which can take minutes (repeatable)
  --quick          run one size per job in few short rounds; for a check, not for results
  --rounds N       number of rounds per job (at least 5)
  --processes N    restart all peers N times per job; a driver may be faster in one process than in another
  --json FILE      write the measured records to FILE after each job
  --plot FOLDER    write plots to FOLDER: ratios as bars, times by size as curves
  --against FILE   compare ratios with the records of FILE; exit with 1 if some are worse (repeatable)
  --from FILE      use the records of FILE instead of measuring (repeatable)`;

/**
 * @typedef {object} Options
 * @property {readonly string[]} only
 * @property {readonly string[]} job
 * @property {readonly string[]} size
 * @property {readonly string[]} without
 * @property {boolean} quick
 * @property {number} rounds
 * @property {number} processes
 * @property {string} [json]
 * @property {string} [plot]
 * @property {readonly string[]} against
 * @property {readonly string[]} from
 */

/**
 * @param {readonly string[]} args
 * @returns {Options | undefined} undefined for `--help`
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
      processes: { type: "string", default: "1" },
      json: { type: "string" },
      plot: { type: "string" },
      against: { type: "string", multiple: true, default: [] },
      from: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const rounds = integerOf("--rounds", values.rounds ?? (values.quick ? "5" : "15"), 5);
  const processes = integerOf("--processes", values.processes, 1);
  if (values.from.length > 0 && values.json !== undefined) {
    throw new Error("--json writes measured records and cannot be combined with --from");
  }
  return { ...values, rounds, processes };
}

/**
 * @param {string} option
 * @param {string} text
 * @param {number} minimum
 */
function integerOf(option, text, minimum) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= minimum) return value;
  throw new RangeError(`${option} must be an integer of at least ${minimum}, received ${text}`);
}
