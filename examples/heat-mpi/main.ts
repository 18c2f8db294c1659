// Cools a square on several ranks and on one, and compares the results with each other and with the analytic decay.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { CommandQueue } from "@cl/core";
import { Mpi } from "@cl/mpi";

import { heat, type Problem } from "./heat.js";

const { values } = parseArgs({
  options: {
    ranks: { type: "string" },
    size: { type: "string", default: "96" },
    steps: { type: "string", default: "400" },
    overlap: { type: "boolean", default: false },
  },
});
if (values.ranks === undefined) await run();
else process.exitCode = startRanks(values.ranks);

/** Starts this program on some ranks of the MPI that is installed. */
function startRanks(ranks: string): number {
  const { size, steps, overlap } = values;
  const options = [`--size=${size}`, `--steps=${steps}`, ...(overlap ? ["--overlap"] : [])];
  const program = [process.execPath, import.meta.filename, ...options];
  const { status, error } = spawnSync("mpirun", ["-n", ranks, ...program], { stdio: "inherit" });
  if (error === undefined) return status ?? 1;
  console.error("mpirun was not found. Debian and Ubuntu: apt install openmpi-bin; on a cluster: module load openmpi");
  return 1;
}

async function run(): Promise<void> {
  await using mpi = await Mpi.init();
  const { world } = mpi;
  const queue = new CommandQueue(mpi.createContext());
  const [size, steps] = [Number(values.size), Number(values.steps)];
  const wave = (i: number): number => Math.sin((2 * Math.PI * i) / size);
  const problem: Problem = { size, steps, rate: 0.2, overlaps: values.overlap, start: (y, x) => wave(y) * wave(x) };

  const together = await heat(world, queue, problem);
  // A communicator of each rank alone.
  const self = await world.split(world.rank);
  if (together === undefined || self === undefined) return;
  const alone = (await heat(self, queue, problem)) as Float64Array;
  const different = together.findIndex((value, i) => value !== alone[i]);
  console.log(
    different < 0 ? `${world.size} ranks compute what one computes, bit for bit` : `cell ${different} is different`,
  );

  const at = Math.round(size / 4) * (size + 1);
  const decay = (1 - 8 * problem.rate * Math.sin(Math.PI / size) ** 2) ** steps;
  console.log(
    `heat left: ${((together[at] as number) / problem.start(size / 4, size / 4)).toFixed(6)}, expected ${decay.toFixed(6)}`,
  );
}
