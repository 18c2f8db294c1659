/** Computes Collatz step counts on one device, with a separate context and queue. */
import { CommandQueue, Context, type Device, DeviceBuffer, Program } from "@cl/core";

import { collatzSource } from "./collatz.cl.js";

/** A device with built program and allocated memory. */
export interface Collatz {
  /** Fills `count` elements of `steps` from `first`: `steps[i]` belongs to the number i + 1. Resolves to the seconds taken. */
  run(steps: Uint32Array, first: number, count: number): Promise<number>;
}

/** Prepares a device for up to `maxCount` numbers per run, with a warm-up run of `grain` numbers. */
export async function collatzOn(device: Device, maxCount: number, grain: number): Promise<Collatz> {
  // Devices of different drivers cannot share a context.
  const context = new Context(device);
  const queue = new CommandQueue(context);
  const kernel = (await new Program(context, collatzSource).build()).kernel("collatz");
  const buffer = DeviceBuffer.empty(context, Uint32Array, maxCount);

  async function run(steps: Uint32Array, first: number, count: number): Promise<number> {
    const started = performance.now();
    kernel.launch(queue, { global: count }, buffer, first);
    // Each device writes to a separate part of the array.
    await queue.read(buffer, { into: steps.subarray(first, first + count), length: count });
    return (performance.now() - started) / 1000;
  }

  // Warm up: drivers defer work to the first launch, which would distort the measured speed.
  await run(new Uint32Array(grain), 0, grain);
  return { run };
}
