// Compares @cl/mpi with a C program that does the same (native/mpi/baseline.c), each under mpirun, in turn.
//   node bench/src/mpi.mjs [options]
//     --set cores|gpus       jobs for ranks that share a processor (default), or that have a GPU each
//     --ranks LIST           numbers of ranks; 1,2,4 by default
//     --rounds NUMBER        5 by default
//     --job TEXT             only checks and jobs whose name contains TEXT
//     --quick                small sizes, to see whether everything runs
//     --mpi openmpi|mpich    openmpi by default: uses mpicc.openmpi and mpirun.openmpi, or else mpirun
//     --launch ARGUMENTS     additional arguments of mpirun, separated by spaces
//     --timeout SECONDS      for each process of mpirun; 120 by default
//     --json FILE            writes records after each job
// Without a compiler for MPI, it uses a program that was built before, or measures only @cl/mpi.
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { sets } from "./mpi-jobs.mjs";
import { paths } from "./paths.mjs";
import { writeRecords } from "./record-file.mjs";
import { ranksTable } from "./report.mjs";
import { median, quantile, significant } from "./statistics.mjs";

/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./mpi-jobs.mjs").MpiJob} MpiJob */
/** @typedef {"ours" | "c"} Side */
/** Microseconds of each round, by the number of ranks. @typedef {Map<number, Map<Side, readonly number[]>>} Times */

/** Seconds after which a process of mpirun that was asked to end is killed. */
const grace = 5;

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "cores" },
    ranks: { type: "string", default: "1,2,4" },
    rounds: { type: "string", default: "5" },
    job: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    mpi: { type: "string", default: "openmpi" },
    launch: { type: "string", default: "" },
    timeout: { type: "string", default: "120" },
    json: { type: "string" },
  },
});
const ranksOfRun = values.ranks.split(",").map((text) => positive("--ranks", text));
const rounds = positive("--rounds", values.rounds);
const timeout = positive("--timeout", values.timeout);
const set = sets[values.set];
if (set === undefined) {
  throw new TypeError(`--set must be one of ${Object.keys(sets).join(", ")}, received ${values.set}`);
}
if (!["openmpi", "mpich"].includes(values.mpi)) {
  throw new TypeError(`--mpi must be openmpi or mpich, received ${values.mpi}`);
}

const mpirun = findMpirun();
const baseline = build();
/** @type {Record<Side, readonly string[] | undefined>} */
const programs = {
  ours: [process.execPath, join(paths.ours, "mpi/program.mjs")],
  c: baseline === undefined ? undefined : [baseline],
};
const sides = /** @type {const} */ (["ours", "c"]).filter((side) => programs[side] !== undefined);
let failures = 0;

const { checks, jobs } = set(values.quick);
/** @param {{ name: string }} job */
const isWanted = ({ name }) => name.includes(values.job);
const described = await launch(Math.max(...ranksOfRun), programs.ours ?? [], ["machine"]);
if (described.problem !== undefined) throw new Error(described.problem);
/** @type {{ devices: string[], library: string }} */
const { devices, library } = JSON.parse(described.lines[0] ?? "");
// The name and the version come first; more about the build may follow.
const mpi = (library.split(",")[0] ?? "").replaceAll(/\s+/g, " ");
const device = [...new Set(devices)].join(", ");
console.log(`${mpi}; ${devices.length} ranks on ${device}`);

const wantedChecks = checks.filter(isWanted);
/** @type {Map<string, Set<string>>} */
const resultsOfChecks = new Map();
for (const ranks of ranksOfRun) {
  for (const side of sides) {
    for (const [name, result] of await runJobs(ranks, side, wantedChecks)) {
      console.log(`${name}, ${ranks} ranks, ${side}: ${result}`);
      resultsOfChecks.set(name, (resultsOfChecks.get(name) ?? new Set()).add(result));
    }
  }
}
for (const [name, results] of resultsOfChecks) {
  if (results.size > 1) note(`${name}: the results differ`);
}

/** @type {BenchRecord[]} */
const records = [];
for (const group of groupsOf(jobs.filter(isWanted))) {
  records.push(...(await measure(group)));
  if (values.json !== undefined) writeRecords(values.json, records);
}
console.log(records.length === 0 ? "nothing was measured" : ranksTable(records));
if (failures > 0) console.log(`${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;

/**
 * Runs jobs on each number of ranks, in turn with the C program. What fails is not run again.
 * @param {readonly MpiJob[]} group
 * @returns {Promise<BenchRecord[]>}
 */
async function measure(group) {
  const title = group[0]?.group ?? group[0]?.name;
  /** @type {Map<MpiJob, Times>} */
  const times = new Map(group.map((job) => [job, new Map()]));
  /** @type {Set<string>} */
  const failed = new Set();
  for (let round = 0; round < rounds; round++) {
    console.log(`${title}: round ${round + 1} of ${rounds}`);
    for (const ranks of ranksOfRun) {
      // Each round begins with another program.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        /** @param {MpiJob} job */
        const keyOf = (job) => `${job.name} ${ranks} ${side}`;
        const rest = group.filter(
          (job) => job[side] && (job.ranks ?? [ranks]).includes(ranks) && !failed.has(keyOf(job)),
        );
        const results = await runJobs(ranks, side, rest);
        for (const job of rest) {
          const result = Number(results.get(job.name));
          const ofJob = /** @type {Times} */ (times.get(job));
          const ofRanks = ofJob.get(ranks) ?? new Map();
          if (Number.isNaN(result)) {
            failed.add(keyOf(job));
            ofRanks.delete(side);
          } else {
            ofRanks.set(side, [...(ofRanks.get(side) ?? []), result]);
          }
          ofJob.set(ranks, ofRanks);
        }
      }
    }
  }
  return [...times].flatMap(([job, ofJob]) =>
    [...ofJob]
      .filter(([, ofRanks]) => ofRanks.size > 0)
      .map(([ranks, ofRanks]) => makeRecord(job, ranks, ofRanks, ofJob.get(1))),
  );
}

/**
 * Returns the jobs of each group; a job without one is alone.
 * @param {readonly MpiJob[]} all
 */
function groupsOf(all) {
  const names = new Set(all.map(({ name, group = name }) => group));
  return [...names].map((of) => all.filter(({ name, group = name }) => group === of));
}

/**
 * @param {MpiJob} job
 * @param {number} ranks
 * @param {ReadonlyMap<Side, readonly number[]>} times
 * @param {ReadonlyMap<Side, readonly number[]> | undefined} alone those on one rank
 * @returns {BenchRecord}
 */
function makeRecord({ name, size, scaling, hostBytes }, ranks, times, alone) {
  /**
   * @template T
   * @param {(times: readonly number[], side: Side) => T | undefined} statistic
   * @returns {Record<string, T>}
   */
  const each = (statistic) =>
    Object.fromEntries(
      [...times].flatMap(([side, all]) => {
        const value = statistic(all, side);
        return value === undefined ? [] : [[side === "c" ? "cpp" : side, value]];
      }),
    );
  const ours = times.get("ours");
  const { cpp } = each((all, side) => (side === "c" ? ratioOf(ours, all) : undefined));
  const record = {
    package: "mpi",
    job: name,
    ...(size === undefined ? {} : { size }),
    ranks,
    unit: "us",
    ...each((all) => significant(median(all))),
    ratio: cpp === undefined ? {} : { cpp },
    p10: each((all) => significant(quantile(all, 0.1))),
    max: each((all) => Math.max(...all)),
    times: each((all) => all),
    rounds,
    device,
    mpi,
    ...(hostBytes === undefined ? {} : { hostBytes: hostBytes(ranks) }),
  };
  if (scaling === undefined) return record;
  // A problem that does not grow would take 1 / ranks of the time.
  const ideal = scaling === "weak" ? 1 : 1 / ranks;
  const efficiency = each((all, side) => {
    const ratio = ratioOf(alone?.get(side), all);
    return ratio === undefined ? undefined : significant(ratio * ideal);
  });
  return { ...record, scaling, efficiency };
}

/**
 * Returns the median of the ratios of single rounds.
 * @param {readonly number[] | undefined} of
 * @param {readonly number[]} to
 */
function ratioOf(of, to) {
  return of === undefined ? undefined : significant(median(of.map((time, round) => time / (to[round] ?? NaN))));
}

/** @param {string} text */
function note(text) {
  failures++;
  console.log(text);
}

/**
 * Runs jobs in one process for each rank. After one that fails, those that follow run in others.
 * @param {number} ranks
 * @param {Side} side
 * @param {readonly Pick<MpiJob, "name" | Side>[]} all
 * @returns {Promise<Map<string, string>>} what they print, by name
 */
async function runJobs(ranks, side, all) {
  /** @type {Map<string, string>} */
  const results = new Map();
  let pending = all.filter((job) => job[side] !== undefined);
  while (pending.length > 0) {
    const commands = pending.map((job) => job[side] ?? []);
    const joined = commands.flatMap((command, i) => (i === 0 ? command : ["+", ...command]));
    const { lines, problem } = await launch(ranks, programs[side] ?? [], joined);
    if (lines.length > pending.length) {
      note(`${ranks} ranks, ${side} printed ${lines.length} lines for ${pending.length} jobs: has mpirun another MPI?`);
      return new Map();
    }
    for (const [i, line] of lines.entries()) results.set(pending[i]?.name ?? "", line);
    const failed = pending[lines.length];
    if (problem !== undefined || failed !== undefined) {
      note(`${failed?.name ?? "the end"}, ${ranks} ranks, ${side} failed: ${problem ?? "nothing was printed"}`);
    }
    pending = pending.slice(lines.length + 1);
  }
  return results;
}

/**
 * @param {number} ranks
 * @param {readonly string[]} program
 * @param {readonly string[]} command
 * @returns {Promise<{ lines: string[], problem?: string }>} what it prints, and why it failed
 */
function launch(ranks, program, command) {
  const own = values.mpi === "openmpi" ? ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"] : [];
  const extra = values.launch.split(" ").filter((text) => text !== "");
  const args = [...own, ...extra, "-n", `${ranks}`, ...program, ...command];
  const env = { POCL_MAX_PTHREAD_COUNT: "1", ...process.env };
  const child = spawn(mpirun, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors, isLate] = ["", "", false];
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const end = setTimeout(() => {
    isLate = true;
    child.kill("SIGTERM");
  }, timeout * 1000);
  const kill = setTimeout(
    () => {
      child.kill("SIGKILL");
      // Ranks that still run would keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
    },
    (timeout + grace) * 1000,
  );
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(end);
      clearTimeout(kill);
      // mpirun of MPICH prints the reason for which it ends, too.
      const lines = output.split("\n").filter((line) => /^([\d.]+|equal|\{.*\})$/.test(line));
      if (code === 0 && !isLate) return resolve({ lines });
      const how = isLate ? `took longer than ${timeout} s` : (signal ?? `exit code ${code}`);
      const lastLines = errors.trim().split("\n").slice(-20);
      resolve({ lines, problem: [how, [mpirun, ...args].join(" "), ...lastLines].join("\n  ") });
    });
  });
}

/** Returns the launcher of the MPI: Debian's name if both MPIs are installed, or the usual one. */
function findMpirun() {
  const names = [`mpirun.${values.mpi}`, "mpirun"];
  const found = names.find((name) => canRun(name));
  if (found === undefined) throw new Error(`neither ${names.join(" nor ")} was found in PATH`);
  return found;
}

/** @param {string} command */
function canRun(command) {
  return (process.env["PATH"] ?? "").split(":").some((folder) => folder !== "" && existsSync(join(folder, command)));
}

/** Returns the C program, compiled if there is a compiler; undefined if it is missing. */
function build() {
  const output = join(paths.build, `mpi-baseline-${values.mpi}`);
  const compiler = `mpicc.${values.mpi}`;
  if (canRun(compiler)) {
    const source = join(paths.native, "mpi/baseline.c");
    execFileSync(compiler, ["-O2", "-Wall", source, "-o", output, "-l:libOpenCL.so.1"], { stdio: "inherit" });
    return output;
  }
  if (existsSync(output)) return output;
  console.log(`there is no ${compiler}, and no ${output}: only @cl/mpi is measured`);
  return undefined;
}

/**
 * @param {string} option
 * @param {string} text
 */
function positive(option, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(`${option} must be a positive integer, received ${text}`);
}
