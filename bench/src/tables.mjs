// node bench/src/tables.mjs: writes the tables of ../README.md from the records in ../results.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { loadJobs } from "./load-jobs.mjs";
import { paths } from "./paths.mjs";
import { keyOf } from "./record-file.mjs";
import { comparisonTable, ranksTable, table } from "./report.mjs";

/** @typedef {import("./clpeak/compare.mjs").Comparison} Comparison */
/** @typedef {import("./job.mjs").Job} Job */
/** @typedef {import("./record-file.mjs").RecordFile} RecordFile */
/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */

/** What tables leave out; the others have all records of their file. */
const omitted = {
  // The curves over sizes show the others.
  sizes: ["1e4", "1e5"],
  // NumPy runs on the host's processor.
  ratios: { "array-h200": ["numpy"] },
};

const marked = /(<!-- table (\S+) -->\n)[^]*?(<!-- \/table -->)/g;

/**
 * Returns a text with the tables between `<!-- table NAME -->` and `<!-- /table -->`, where NAME is that of a file of records.
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function withTables(text) {
  const names = [...text.matchAll(marked)].map(([, , name = ""]) => name);
  const tables = new Map(
    await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await tableOf(name)]))),
  );
  return text.replace(marked, (_, start, name, end) => `${start}\n${tables.get(name)}\n\n${end}`);
}

/**
 * Returns the date, the machine and the table of a file of records.
 * @param {string} name
 */
async function tableOf(name) {
  const path = `results/${name}.json`;
  /** @type {RecordFile} */
  const { date, machine, records } = JSON.parse(readFileSync(join(paths.root, path), "utf8"));
  const mpis = new Set(records.flatMap(({ mpi = [] }) => mpi));
  const heading = `${[date, ...devicesBesides(machine, records), ...mpis, machine].join(", ")}.\nRecords: [${path}](${path}).`;
  if (records.some(({ ranks }) => ranks !== undefined)) return `${heading}\n\n${ranksTable(records)}`;
  const jobs = await targetsOf(records);
  const shown = records.filter(({ size = "", figure }) => figure === undefined && !omitted.sizes.includes(size));
  const results = shown.map((record) => ({ record, target: jobs.get(keyOf(record)) }));
  const comparisons = /** @type {readonly unknown[]} */ (records.filter(({ figure }) => figure !== undefined));
  const parts = [heading, table(results, omitted.ratios[/** @type {"array-h200"} */ (name)])];
  if (comparisons.length > 0) parts.push(comparisonTable(/** @type {readonly Comparison[]} */ (comparisons)));
  return parts.join("\n\n");
}

/**
 * Returns the devices that are not the machine's processor.
 * @param {string} machine
 * @param {readonly BenchRecord[]} records
 */
function devicesBesides(machine, records) {
  const [processor = ""] = machine.split(",");
  return [...new Set(records.map(({ device }) => device))].filter((device) => !device.endsWith(processor));
}

/**
 * Returns the targets of all jobs of the records' packages.
 * @param {readonly BenchRecord[]} records
 * @returns {Promise<Map<string, Job["target"]>>}
 */
async function targetsOf(records) {
  /** @type {Map<string, Job["target"]>} */
  const targets = new Map();
  for (const name of new Set(records.map((record) => record.package))) {
    const { jobs } = await loadJobs(name);
    for (const { name: job, size, count, target } of jobs) {
      targets.set(keyOf({ package: name, job, size: size?.replace("#", `${count?.full}`) }), target);
    }
  }
  return targets;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readme = join(paths.root, "README.md");
  writeFileSync(readme, await withTables(readFileSync(readme, "utf8")));
}
