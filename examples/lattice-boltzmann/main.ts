// Three-dimensional flow by the lattice-Boltzmann method: checks against known results, and the wake of a cylinder.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

import { CommandQueue, Context } from "@cl/core";

import { AnimatedPng } from "./apng.js";
import { cavityProfile, ghia } from "./cavity.js";
import { vortices } from "./vortices.js";
import { encode, type Output, wake } from "./wake.js";

const { values } = parseArgs({
  options: {
    cells: { type: "string", default: "24" },
    steps: { type: "string", default: "4000" },
    reynolds: { type: "string", default: "120" },
    precision: { type: "string", default: "float32" },
    out: { type: "string", default: "build/lattice-boltzmann" },
    animate: { type: "string" },
    ranks: { type: "string" },
    // This process is a rank of an MPI job.
    mpi: { type: "boolean", default: false },
  },
});

/** Returns an option as an even number. */
function even(name: "cells" | "steps" | "reynolds"): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 2 && number % 2 === 0) return number;
  console.error(`--${name} must be an even number, received ${values[name]}`);
  return process.exit(2);
}

/** Returns an even number of steps, so that a run has at most as many intervals. */
function interval(intervals: number): number {
  return 2 * Math.ceil(steps / 2 / intervals);
}

const [cells, steps, reynolds] = [even("cells"), even("steps"), even("reynolds")];
const { precision, out, animate } = values;
if (precision !== "float32" && precision !== "float16") {
  console.error(`--precision must be float32 or float16, received ${precision}`);
  process.exit(2);
}
if (values.ranks !== undefined && !values.mpi) process.exit(startRanks(values.ranks));

// Without --mpi, the program does not need @cl/mpi.
const rank = values.mpi ? await (await import("./ranks.js")).joinJob() : undefined;
const { isRoot, context, divide } = rank ?? { isRoot: true, context: Context.create(), divide: undefined };
const queue = new CommandQueue(context, { profiling: true });
const viscosity = 0.05;
const decay = await vortices(queue, { cells: 32, viscosity, steps: 180, precision, divide });
if (decay !== undefined) {
  console.log(
    `vortices: the viscosity is within ${percent(decay.viscosity / viscosity - 1)} of its value, ` +
      `the mass within ${Math.abs(decay.massChange).toExponential(0)}`,
  );
}
const profile = await cavityProfile(queue, { cells: 32, reynolds: 100, steps: 8000, precision, divide });
if (profile !== undefined) {
  const error = Math.max(...ghia.map(([height, velocity]) => Math.abs(profile(height) - velocity)));
  console.log(`a box with a moving lid: within ${percent(error)} of Ghia, Ghia and Shin (1982)`);
}

await mkdir(out, { recursive: true });
const files: string[] = [];
const outputs: Output[] = [
  {
    steps: interval(8),
    scale: 4,
    draw: async (picture, step) => {
      const name = `vorticity-${String(step).padStart(6, "0")}.png`;
      await writeFile(join(out, name), await encode(queue, picture));
      files.push(name);
    },
  },
];
if (animate !== undefined) await mkdir(dirname(animate), { recursive: true });
const animation = animate === undefined || !isRoot ? undefined : await AnimatedPng.create(animate, 80);
if (animate !== undefined) {
  // Small frames, because the file contains all of them: less than 300 KB.
  outputs.push({
    steps: interval(60),
    scale: Math.max(1, Math.round(64 / cells)),
    draw: async (picture) => animation?.append(await encode(queue, picture)),
  });
}
const progress = isRoot ? { progress: {} } : {};
const { result, cells: all } = await wake(queue, { cells, reynolds, steps, precision, divide, outputs, ...progress });
await animation?.close();
if (isRoot) {
  const updates = ((2 * result.steps * all) / result.seconds / 1e6).toFixed(0);
  console.log(
    `${all.toLocaleString("en")} cells, ${2 * result.steps} steps: ${updates} million cell updates per second`,
  );
  console.log(`wrote ${files.join(", ")} to ${out}`);
  if (animation !== undefined) console.log(`wrote ${animation.frames} frames to ${animate}`);
}

/** Starts this program on some ranks of the MPI that is installed. */
function startRanks(ranks: string): number {
  // Each has at least one of the slices of a flow; that of the vortices has 32.
  const most = Math.min(cells, 32);
  if (!/^\d+$/.test(ranks) || Number(ranks) < 1 || Number(ranks) > most) {
    console.error(`--ranks must be an integer from 1 to ${most}, received ${ranks}`);
    return 2;
  }
  const program = [process.execPath, import.meta.filename, ...process.argv.slice(2), "--mpi"];
  const { status, error } = spawnSync("mpirun", ["-n", ranks, ...program], { stdio: "inherit" });
  if (error === undefined) return status ?? 1;
  console.error("mpirun was not found. Debian and Ubuntu: apt install openmpi-bin; on a cluster: module load openmpi");
  return 1;
}

function percent(value: number): string {
  return `${(100 * Math.abs(value)).toFixed(1)} %`;
}
