// The file of records. It is written after every job, so that an interrupted run keeps its results.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */

/**
 * Returns the key of a record, unique in a file.
 * @param {BenchRecord} record
 */
export function keyOf({ package: name, job, size, figure }) {
  return [name, job, size, figure].filter((part) => part !== undefined).join(" ");
}

/**
 * @param {readonly string[]} files
 * @returns {BenchRecord[]}
 */
export function readRecords(files) {
  return files.flatMap((file) => {
    const content = JSON.parse(readFileSync(file, "utf8"));
    if (!Array.isArray(content)) throw new TypeError(`${file} is not a list of records`);
    return content;
  });
}

/**
 * Merges records. A new record replaces the one with the same key in place, or follows the others of its job or package.
 * @param {readonly BenchRecord[]} before
 * @param {readonly BenchRecord[]} records
 * @returns {BenchRecord[]}
 */
function mergeRecords(before, records) {
  const merged = [...before];
  for (const record of records) {
    const same = merged.findIndex((other) => keyOf(other) === keyOf(record));
    if (same >= 0) {
      merged[same] = record;
      continue;
    }
    const sibling = merged.findLastIndex((other) => other.package === record.package && other.job === record.job);
    const last = sibling >= 0 ? sibling : merged.findLastIndex((other) => other.package === record.package);
    merged.splice(last < 0 ? merged.length : last + 1, 0, record);
  }
  return sortSizes(merged);
}

/**
 * Sorts the records of each job by size, within the positions of the job's records.
 * @param {readonly BenchRecord[]} records
 * @returns {BenchRecord[]}
 */
function sortSizes(records) {
  /** @param {BenchRecord} record */
  const jobOf = (record) => `${record.package} ${record.job}`;
  /** @type {Map<string, BenchRecord[]>} */
  const jobs = new Map();
  for (const record of records) jobs.set(jobOf(record), [...(jobs.get(jobOf(record)) ?? []), record]);
  for (const ofJob of jobs.values()) ofJob.sort((a, b) => Number(a.size) - Number(b.size) || 0);
  return records.map((record) => /** @type {BenchRecord} */ (jobs.get(jobOf(record))?.shift()));
}

export class RecordFile {
  #path;
  #existing;

  /**
   * @param {string} path
   * @param {boolean} merge whether to keep existing records that are not measured again
   */
  constructor(path, merge) {
    this.#path = path;
    this.#existing = merge && existsSync(path) ? readRecords([path]) : [];
  }

  /** @param {readonly BenchRecord[]} records */
  write(records) {
    const partial = `${this.#path}.${process.pid}.part`;
    try {
      writeFileSync(partial, `${JSON.stringify(mergeRecords(this.#existing, records), null, 2)}\n`);
      renameSync(partial, this.#path);
    } catch (error) {
      rmSync(partial, { force: true });
      throw error;
    }
  }
}
