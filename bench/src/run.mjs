// npm run bench: measures this stack and its peers in one run, and prints and writes the medians.
import { readdirSync } from "node:fs";

import { Crew } from "./crew.mjs";
import { environmentNames } from "./environments.mjs";
import { loadJobs } from "./load-jobs.mjs";
import { describeMachine } from "./machine.mjs";
import { measure } from "./measure.mjs";
import { messageOf } from "./message.mjs";
import { buildNullDriver } from "./native-build.mjs";
import { parseOptions, usage } from "./options.mjs";
import { paths } from "./paths.mjs";
import { findPeers } from "./peers.mjs";
import { writePlots } from "./plots/index.mjs";
import { readRecords, writeRecords } from "./record-file.mjs";
import { makeRecord } from "./records.mjs";
import { compareRatios, describeComparison } from "./regressions.mjs";
import { table } from "./report.mjs";

/** @typedef {import("./job.mjs").Job} Job */
/** @typedef {import("./options.mjs").Options} Options */
/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./interleave.mjs").Sample} Sample */
/** @typedef {{ record: BenchRecord, target: Job["target"] }} Result */

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * @param {Job} job
 * @param {Options} options
 */
function isWanted({ name, size, onRequest, long }, options) {
  if (options.job.length > 0 && !options.job.some((text) => name.includes(text))) return false;
  if (long === true && options.quick && options.job.length + options.size.length === 0) return false;
  return options.size.length === 0 ? onRequest !== true : size !== undefined && options.size.includes(size);
}

/**
 * Returns the result of a failed job, so that the run continues with the others.
 * @param {unknown} problem
 * @returns {Awaited<ReturnType<typeof measure>>}
 */
function failed(problem) {
  return { samples: new Map(), notes: [`failed: ${messageOf(problem)}`] };
}

/**
 * @param {string} packageName
 * @param {Options} options
 * @param {(results: readonly Result[]) => void} keep called after each job with the package's results so far
 * @returns {Promise<Result[]>} in the order of the package's jobs
 */
async function runPackage(packageName, options, keep) {
  // `measures` is exported by groups that are not named after their package.
  const { jobs: all, measures = packageName, library } = await loadJobs(packageName);
  const jobs = all.filter((job) => isWanted(job, options));
  const peerNames = new Set(jobs.flatMap(({ sides }) => Object.values(sides).map(({ peer }) => peer)));
  for (const peer of options.without) peerNames.delete(peer);
  const peers = findPeers({ name: packageName, measures, library }, peerNames);
  for (const [name, { version }] of peers.present) say(`${packageName}: ${name} is ${version}`);
  for (const [name, why] of peers.absent) say(`${packageName}: ${name} is missing: ${why}`);
  // Without ours there is nothing to compare.
  if (peers.absent.has("ours")) return [];
  const nullDriver = buildNullDriver();

  /** @type {Map<Job, Result>} */
  const results = new Map();
  /** @type {Map<Job, Map<string, Sample[]>>} */
  const collected = new Map(jobs.map((job) => [job, new Map()]));
  const inOrder = () => jobs.flatMap((job) => results.get(job) ?? []);
  const rounds = Math.ceil(options.rounds / options.processes);
  for (const name of environmentNames.flatMap((name) => Array.from({ length: options.processes }, () => name))) {
    const selected = jobs.filter(({ environment }) => environment === name);
    if (selected.length === 0) continue;
    const crew = await Crew.start(peers.present, name, nullDriver);
    crew.notes.forEach(say);
    try {
      for (const job of selected) {
        const count = job.count?.[options.quick ? "quick" : "full"];
        const setting = { peers: peers.present, crew, nullDriver, count, rounds, quick: options.quick };
        const { samples, notes } = await measure(job, setting).catch(failed);
        notes.forEach((note) => say(`${packageName}: ${job.name}: ${note}`));
        const all = /** @type {Map<string, Sample[]>} */ (collected.get(job));
        for (const [side, more] of samples) all.set(side, [...(all.get(side) ?? []), ...more]);
        if (all.size === 0) continue;
        const record = makeRecord(packageName, job, count, all, crew.device);
        results.set(job, { record, target: job.target });
        keep(inOrder());
        say(`${packageName}: ${job.name} done`);
      }
    } finally {
      await crew.stop();
    }
  }
  return inOrder();
}

async function main() {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const records = options.from.length > 0 ? readRecords(options.from) : await measureAll(options);
  if (options.json !== undefined) writeRecords(options.json, records);
  if (options.plot !== undefined) writePlots(records, options.plot).forEach(say);
  if (options.against.length === 0) return;
  const comparison = compareRatios(records, readRecords(options.against), options.job);
  console.log(`\n${describeComparison(comparison)}`);
  if (comparison.worse.length > 0) process.exitCode = 1;
}

/**
 * Measures all selected packages and prints the tables.
 * @param {Options} options
 */
async function measureAll(options) {
  const packages = readdirSync(paths.jobs).filter((name) => options.only.length === 0 || options.only.includes(name));
  if (packages.length === 0) throw new Error(`no jobs for ${options.only.join(", ")}`);
  /** @type {Result[]} */
  const results = [];
  for (const name of packages) {
    const keep = (/** @type {readonly Result[]} */ more) => {
      if (options.json === undefined) return;
      writeRecords(
        options.json,
        [...results, ...more].map(({ record }) => record),
      );
    };
    results.push(...(await runPackage(name, options, keep)));
  }
  console.log(
    `${describeMachine()}${options.quick ? " (--quick: for a check, not for results)" : ""}\n\n${table(results)}`,
  );
  const records = results.map(({ record }) => record);
  for (const name of packages) {
    // Compares measured values with another program's; accuracy matters here, not speed.
    const { compare } = await loadJobs(name);
    const compared = await compare?.(options, say);
    if (compared === undefined) continue;
    console.log(`\n${compared.table}`);
    // They have a single ratio instead of one per peer; plots and comparisons ignore them.
    records.push(.../** @type {BenchRecord[]} */ (compared.records));
  }
  return records;
}

try {
  await main();
} catch (problem) {
  say(messageOf(problem));
  process.exitCode = 1;
}
