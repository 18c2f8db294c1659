// Shared by the child's jobs; the same objects as native/tools/rig.cc.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

export async function createRig() {
  const context = Context.create();
  const queue = new CommandQueue(context);
  const source = readFileSync(join(process.env.CL_BENCH_KERNELS, "pool.cl"), "utf8");
  const program = await new Program(context, source).build();
  return { context, queue, fill: program.kernel("fill"), add: program.kernel("add") };
}

/** @typedef {Awaited<ReturnType<typeof createRig>>} Rig */

/**
 * Returns a pool as created in the documentation.
 * @param {Rig} rig
 */
export function createPool({ queue }) {
  return new MemoryPool(new ImmediateAllocator(queue));
}

/** @param {Rig} rig */
export function launchesAreReal({ context, queue, fill }) {
  const memory = DeviceBuffer.from(context, new Float32Array(64));
  fill.launch(queue, { global: 64, local: 64 }, memory, 1);
  return queue.readSync(memory, Float32Array)[63] === 1;
}
