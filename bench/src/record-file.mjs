// The records' file. It is written after every job, so that a run that is cut off keeps what it has measured.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */

/**
 * What tells a record from the others of a file.
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
    if (!Array.isArray(content)) throw new TypeError(`${file} is no list of records`);
    return content;
  });
}

/**
 * Records where new ones replace those of the same package, job and size in their places, and follow the others of their
 * package else.
 * @param {readonly BenchRecord[]} before
 * @param {readonly BenchRecord[]} records
 * @returns {BenchRecord[]}
 */
function mergeRecords(before, records) {
  const merged = [...before];
  for (const record of records) {
    const same = merged.findIndex((one) => keyOf(one) === keyOf(record));
    if (same >= 0) {
      merged[same] = record;
      continue;
    }
    const sibling = merged.findLastIndex((one) => one.package === record.package && one.job === record.job);
    const last = sibling >= 0 ? sibling : merged.findLastIndex((one) => one.package === record.package);
    merged.splice(last < 0 ? merged.length : last + 1, 0, record);
  }
  return sortSizes(merged);
}

/**
 * The records with the sizes of each job in order, in the places that the job's records have.
 * @param {readonly BenchRecord[]} records
 * @returns {BenchRecord[]}
 */
function sortSizes(records) {
  /** @param {BenchRecord} one */
  const jobOf = (one) => `${one.package} ${one.job}`;
  /** @type {Map<string, BenchRecord[]>} */
  const jobs = new Map();
  for (const one of records) jobs.set(jobOf(one), [...(jobs.get(jobOf(one)) ?? []), one]);
  for (const ofJob of jobs.values()) ofJob.sort((a, b) => Number(a.size) - Number(b.size) || 0);
  return records.map((one) => /** @type {BenchRecord} */ (jobs.get(jobOf(one))?.shift()));
}

export class RecordFile {
  #path;
  #kept;

  /**
   * @param {string} path
   * @param {boolean} merge whether what is there stays, but for what is measured anew
   */
  constructor(path, merge) {
    this.#path = path;
    this.#kept = merge && existsSync(path) ? readRecords([path]) : [];
  }

  /** @param {readonly BenchRecord[]} records */
  write(records) {
    const partial = `${this.#path}.${process.pid}.part`;
    try {
      writeFileSync(partial, `${JSON.stringify(mergeRecords(this.#kept, records), null, 2)}\n`);
      renameSync(partial, this.#path);
    } catch (error) {
      rmSync(partial, { force: true });
      throw error;
    }
  }
}
