// Shared by the child's jobs; the same objects as native/launcher/rig.cc.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher } from "@cl/launcher";

export const size = { global: 64, local: 64 };
export const stepLength = 20;

/** Maximum number of launches between two finishes: a deeper queue exceeds the caches, which hides the wrapper's cost. */
export const batch = 500;

/** @param {string} file */
export function source(file) {
  return readFileSync(join(process.env.CL_BENCH_KERNELS, file), "utf8");
}

/** The kernels of kernels/twenty.cl, `k00` to `k19`. */
export const kernelNames = Array.from({ length: stepLength }, (_, i) => `k${`${i}`.padStart(2, "0")}`);

export async function createRig() {
  const context = Context.create();
  const queue = new CommandQueue(context);
  const program = await new Program(context, source("twenty.cl")).build();
  const sweep = await new Program(context, source("sweep.cl")).build();
  const a = DeviceBuffer.from(context, new Float32Array(64).fill(1));
  const b = DeviceBuffer.from(context, new Float32Array(64));
  return { context, queue, program, sweep, a, b };
}

/** @typedef {Awaited<ReturnType<typeof createRig>>} Rig */

/**
 * Returns a launcher with fixed arguments.
 * @param {Rig} rig
 * @param {string} name
 */
export function fixedLauncher({ program, a, b }, name) {
  return new KernelLauncher(name, program.kernel(name), { args: [a, b, 1.5, 64], ...size });
}

/** @param {Rig} rig */
export function launchesAreReal(rig) {
  fixedLauncher(rig, "k00").launch(rig.queue);
  return rig.queue.readSync(rig.b, Float32Array).some((value) => value !== 0);
}
