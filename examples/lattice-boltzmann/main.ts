// Three-dimensional flow by the lattice-Boltzmann method: a check against known results, and the wake of a cylinder.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { CommandQueue, Context } from "@cl/core";

import { cavityProfile, ghia } from "./cavity.js";
import { save, wake } from "./wake.js";

const { values } = parseArgs({
  options: {
    cells: { type: "string", default: "24" },
    steps: { type: "string", default: "4000" },
    reynolds: { type: "string", default: "120" },
    precision: { type: "string", default: "float32" },
    out: { type: "string", default: "build/lattice-boltzmann" },
  },
});

/** Returns an option as an even number. */
function even(name: "cells" | "steps" | "reynolds"): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 2 && number % 2 === 0) return number;
  console.error(`--${name} must be an even number, received ${values[name]}`);
  return process.exit(2);
}

const [cells, steps, reynolds] = [even("cells"), even("steps"), even("reynolds")];
const { precision, out } = values;
if (precision !== "float32" && precision !== "float16") {
  console.error(`--precision must be float32 or float16, received ${precision}`);
  process.exit(2);
}

const queue = new CommandQueue(Context.create(), { profiling: true });
const profile = await cavityProfile(queue, { cells: 32, reynolds: 100, steps: 8000, precision });
const error = Math.max(...ghia.map(([height, velocity]) => Math.abs(profile(height) - velocity)));
console.log(`a box with a moving lid: within ${(100 * error).toFixed(1)} % of Ghia, Ghia and Shin (1982)`);

await mkdir(out, { recursive: true });
const files: string[] = [];
const every = {
  steps: Math.max(2, 2 * Math.round(steps / 16)),
  draw: async (picture: Parameters<typeof save>[2], step: number): Promise<void> => {
    const name = `vorticity-${String(step).padStart(6, "0")}.png`;
    await save(queue, join(out, name), picture);
    files.push(name);
  },
};
const { result, cells: all } = await wake(queue, { cells, reynolds, steps, precision, every, progress: {} });
const updates = (2 * result.steps * all) / result.seconds / 1e6;
console.log(
  `${all.toLocaleString("en")} cells, ${2 * result.steps} steps: ${updates.toFixed(0)} million cell updates per second`,
);
console.log(`wrote ${files.join(", ")} to ${out}`);
