// Files of records: one run of one day on one machine. Each job rewrites the file, so an interrupted run keeps its records.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { describeMachine } from "./machine.mjs";

/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */

/**
 * @typedef {object} RecordFile
 * @property {string} date the day of the run
 * @property {string} machine
 * @property {BenchRecord[]} records sorted by size within each job
 */

/**
 * Identifies a record within a file.
 * @param {{ readonly package: string, readonly job: string, readonly size?: string | undefined, readonly figure?: string | undefined, readonly ranks?: number | undefined }} record
 */
export function keyOf({ package: name, job, size, figure, ranks }) {
  const onRanks = ranks === undefined ? undefined : `${ranks} ranks`;
  return [name, job, size, figure, onRanks].filter((field) => field !== undefined).join(" ");
}

/**
 * Returns the records of all files.
 * @param {readonly string[]} files
 * @returns {BenchRecord[]}
 */
export function readRecords(files) {
  return files.flatMap((file) => {
    const { records } = /** @type {Partial<RecordFile>} */ (JSON.parse(readFileSync(file, "utf8")));
    if (!Array.isArray(records)) throw new TypeError(`${file} must have a list of records`);
    return records;
  });
}

/**
 * Sorts the records of each job by size; jobs stay in order.
 * @param {readonly BenchRecord[]} records
 * @returns {BenchRecord[]}
 */
function sortSizes(records) {
  /** @param {BenchRecord} record */
  const jobOf = (record) => `${record.package} ${record.job}`;
  /** @type {Map<string, BenchRecord[]>} */
  const jobs = new Map();
  for (const record of records) jobs.set(jobOf(record), [...(jobs.get(jobOf(record)) ?? []), record]);
  return [...jobs.values()].flatMap((ofJob) => ofJob.sort((a, b) => Number(a.size) - Number(b.size) || 0));
}

/**
 * Writes the records of a run atomically.
 * @param {string} path
 * @param {readonly BenchRecord[]} records
 */
export function writeRecords(path, records) {
  /** @type {RecordFile} */
  const content = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    records: sortSizes(records),
  };
  const partial = `${path}.${process.pid}.part`;
  try {
    writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
