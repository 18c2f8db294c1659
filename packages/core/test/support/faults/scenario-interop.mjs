/** A scenario with samplers, pipes and extensions; see scenario.mjs. */
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  CommandBuffer,
  CommandQueue,
  Context,
  DeviceBuffer,
  getPlatforms,
  importBuffer,
  MemoryObject,
  Pipe,
  Program,
  Sampler,
  Semaphore,
} from "@cl/core";

const source = "__kernel void f(__global float *x, sampler_t s, __read_only pipe int p) { }";
const opaque = { semaphore: 0x2055, memory: 0x2060 };

/** Runs the scenario. Both awaited and other commands must end. */
export async function scenario() {
  const [device] = getPlatforms()[0].getDevices();
  const context = new Context(device);
  const queue = new CommandQueue(context);

  const pipe = new Pipe(context, { packetSize: 4, maxPackets: 4 });
  void MemoryObject.fromPointer(context, pipe.pointer).packetSize;
  const sampler = new Sampler(context);
  const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4));
  const y = DeviceBuffer.empty(context, Float32Array, 4);
  const program = await new Program(context, source).build();
  const kernel = program.kernel("f");
  // The runtime may have no argument types.
  kernel.argTypes = ["float*", "sampler_t", "pipe int"];
  kernel.setArgs(x, sampler, pipe).suggestedLocalSize(queue, { global: 4 });
  const bound = kernel.bind({ global: 4 }, x, sampler, pipe);

  const semaphore = new Semaphore(context, { exportTypes: [opaque.semaphore], devices: [device] });
  const same = Semaphore.import(context, { type: opaque.semaphore, fd: semaphore.export(opaque.semaphore) });
  const signalled = semaphore.enqueueSignal(queue);
  await same.enqueueWait(queue, { waitFor: signalled }).wait();
  void same.payload;

  const path = join(process.env.FAULT_FOLDER ?? ".", "memory");
  writeFileSync(path, new Uint8Array(16));
  const external = importBuffer(context, { handleType: opaque.memory, fd: openSync(path, "r+"), size: 16 });
  queue.enqueueAcquireExternal(external);
  await queue.enqueueReleaseExternal(external).wait();

  const commands = new CommandBuffer(queue).push(bound).pushCopy(y, x).pushFill(x, 5).pushBarrier().finalize();
  bound.release();
  const event = commands.enqueue();
  await event.wait();
  const again = commands.enqueue();
  commands.release();
  await again.wait();
  void event.commandType;
  await queue.finish();
  for (const one of [external, same, semaphore, pipe, sampler, x, y, queue]) one.release();
}
