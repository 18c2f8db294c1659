/** Steps of numbers to 1, computed by one device on a queue of its own. */
import { CommandQueue, Context, type Device, DeviceBuffer, Program } from "@cl/core";

import { collatzSource } from "./collatz.cl.js";

/** A device that is ready: its program is built, its memory is there. */
export interface Collatz {
  /** Fills `steps` from `first` on: `steps[i]` is that of the number i + 1. Resolves to the seconds that it took. */
  run(steps: Uint32Array, first: number, count: number): Promise<number>;
}

/** Makes a device ready for up to `most` numbers at once, and has it work on `grain` of them. */
export async function collatzOn(device: Device, most: number, grain: number): Promise<Collatz> {
  // A context of its own, as devices of two drivers cannot be in one.
  const context = new Context(device);
  const queue = new CommandQueue(context);
  const kernel = (await new Program(context, collatzSource).build()).kernel("collatz");
  const buffer = DeviceBuffer.empty(context, Uint32Array, most);

  async function run(steps: Uint32Array, first: number, count: number): Promise<number> {
    const started = performance.now();
    kernel.launch(queue, { global: count }, buffer, first);
    // Each device writes to a part of the array that no other one has.
    await queue.read(buffer, { into: steps.subarray(first, first + count), length: count });
    return (performance.now() - started) / 1000;
  }

  // Drivers do a part of their work at the first launch, which would make the device seem slow.
  await run(new Uint32Array(grain), 0, grain);
  return { run };
}
