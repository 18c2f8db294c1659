// Shared by the child's jobs; the same objects as native/core/rig.cc.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { CommandQueue, Context, DeviceBuffer, LaunchList, Program } from "@cl/core";

export const size = { global: 64, local: 64 };

/** Maximum number of launches between two finishes: a deeper queue exceeds the caches, which hides the wrapper's cost. */
export const batch = 500;

/** @param {string} file */
export function source(file) {
  return readFileSync(join(process.env.CL_BENCH_KERNELS, file), "utf8");
}

export async function createRig() {
  const context = Context.create();
  const queue = new CommandQueue(context);
  const program = await new Program(context, source("launch.cl")).build();
  const a = DeviceBuffer.from(context, new Float32Array(64).fill(1));
  const b = DeviceBuffer.from(context, new Float32Array(64));
  return { context, queue, program, a, b };
}

/** @typedef {Awaited<ReturnType<typeof createRig>>} Rig */

/**
 * Returns whether any of the three ways to launch reaches the driver.
 * @param {Rig} rig
 */
export function launchesAreReal({ context, queue, program, a, b }) {
  const kernel = program.kernel("scale");
  const bound = kernel.bind(size, a, b, 1.5, 64);
  const list = new LaunchList(context).push(bound);
  kernel.launch(queue, size, a, b, 1.5, 64);
  bound.launch(queue);
  list.launch(queue);
  const result = new Float32Array(64);
  queue.readSync(b, { into: result });
  return result.some((value) => value !== 0);
}
