// Compares @cl/mpi with a C program that does the same (native/mpi/baseline.c), each under mpirun, in turn.
//   node src/mpi.mjs [--mpi openmpi|mpich] [--rounds NUMBER] [--job TEXT] [--ranks LIST] [--json FILE]
// Prints the medians of both and their ratio.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { median } from "./statistics.mjs";

const { values } = parseArgs({
  options: {
    mpi: { type: "string", default: "openmpi" },
    rounds: { type: "string", default: "5" },
    job: { type: "string", default: "" },
    ranks: { type: "string", default: "1,2,4" },
    json: { type: "string" },
  },
});
const folder = fileURLToPath(new URL("..", import.meta.url));
const program = join(folder, "src/ours/mpi/program.mjs");
const baseline = build();

/** Jobs: names, ranks, and the arguments of both programs. */
const steps = "2000";
const jobs = values.ranks.split(",").flatMap((ranks) => [
  { name: "heat-list 512²", ranks, ours: ["heat-list", "512", steps], c: ["heat-overlap", "512", steps] },
  { name: "heat-list 512², C list", ranks, ours: ["heat-list", "512", steps], c: ["heat-list", "512", steps] },
  { name: "heat-overlap 512²", ranks, ours: ["heat-overlap", "512", steps], c: ["heat-overlap", "512", steps] },
  { name: "JavaScript per exchange", ranks, ours: ["javascript", "512", steps] },
  { name: "allreduce in a list", ranks, ours: ["allreduce-list", "5000"], c: ["allreduce", "5000"] },
  { name: "transpose 256³", ranks, ours: ["transpose", "256", "10"], c: ["alltoall", "256", "10"] },
]);
for (const [bytes, rounds] of Object.entries({ 8: "20000", 1048576: "1000" })) {
  for (const how of ["sync", "promise"]) {
    const c = ["ping-pong", bytes, rounds];
    jobs.push({ name: `ping-pong ${bytes} B, ${how}`, ranks: "2", ours: [`ping-pong-${how}`, bytes, rounds], c });
  }
}

const records = [];
for (const { name, ranks, ours, c } of jobs.filter((job) => job.name.includes(values.job))) {
  /** @type {{ ours: number[], c: number[] }} */
  const times = { ours: [], c: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    times.ours.push(run(ranks, [process.execPath, program, ...ours]));
    if (c !== undefined) times.c.push(run(ranks, [baseline, ...c]));
  }
  const mine = median(times.ours);
  const theirs = c && median(times.c);
  const ratio = theirs === undefined ? "" : `${(mine / theirs).toFixed(3)} x C (${theirs.toFixed(2)} us)`;
  console.log(`${name.padEnd(26)} ${ranks} ranks  ${mine.toFixed(2).padStart(9)} us  ${ratio}`);
  records.push({ name, ranks: Number(ranks), mpi: values.mpi, ours: times.ours, c: times.c });
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(records, undefined, 2)}\n`);

function build() {
  const output = join(folder, "build", `mpi-baseline-${values.mpi}`);
  mkdirSync(join(folder, "build"), { recursive: true });
  const source = join(folder, "native/mpi/baseline.c");
  execFileSync(`mpicc.${values.mpi}`, ["-O2", "-Wall", source, "-o", output, "-l:libOpenCL.so.1"], {
    stdio: "inherit",
  });
  return output;
}

/**
 * @param {string} ranks
 * @param {readonly string[]} command
 */
function run(ranks, command) {
  const options = values.mpi === "openmpi" ? ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"] : [];
  const args = [...options, "-n", ranks, ...command];
  const env = { POCL_MAX_PTHREAD_COUNT: "1", ...process.env };
  return Number(execFileSync(`mpirun.${values.mpi}`, args, { encoding: "utf8", env }));
}
