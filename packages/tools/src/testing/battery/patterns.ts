/** Kernels that write patterns and check them. */
import { type Allocation, type CommandQueue, type Context, DeviceBuffer, type LaunchSizes, Program } from "@cl/core";

import type { Patterns } from "./subject.js";

const source = `
// Differs between adjacent bytes and between seeds.
uchar pattern(uint seed, uint i) {
  uint mixed = (seed * 2654435761u) ^ (i * 2246822519u);
  mixed ^= mixed >> 15;
  return (uchar)(mixed * 3266489917u >> 24);
}

__kernel void write_pattern(__global uchar *memory, uint bytes, uint seed) {
  uint i = get_global_id(0);
  if (i < bytes) memory[i] = pattern(seed, i);
}

__kernel void count_wrong(__global const uchar *memory, uint bytes, uint seed, __global uint *wrong) {
  uint i = get_global_id(0);
  if (i < bytes && memory[i] != pattern(seed, i)) atomic_inc(wrong);
}

__kernel void address(__global const uchar *memory, uint divisor, __global uint *remainder) {
  *remainder = (uint)((size_t)memory % divisor);
}
` as const;

export async function buildPatterns(context: Context, queue: CommandQueue): Promise<Patterns> {
  const program = await new Program(context, source).build();
  const write = program.kernel("write_pattern");
  const count = program.kernel("count_wrong");
  const address = program.kernel("address");
  // One work-group size, since PoCL recompiles a kernel for each, and no prime numbers of work-items.
  const local = Math.min(64, ...context.devices.map((device) => device.maxWorkGroupSize));
  const sizesFor = (bytes: number): LaunchSizes => ({ global: Math.ceil(bytes / local) * local, local });
  const wrong = DeviceBuffer.from(context, Uint32Array.of(0));
  const remainder = DeviceBuffer.from(context, Uint32Array.of(0));
  return {
    write(memory: Allocation, bytes: number, seed: number): void {
      if (bytes > 0) write.launch(queue, sizesFor(bytes), memory, bytes, seed);
    },
    check(memory: Allocation, bytes: number, seed: number): void {
      if (bytes > 0) count.launch(queue, sizesFor(bytes), memory, bytes, seed, wrong);
    },
    async wrongBytes(): Promise<number> {
      const [found = Number.NaN] = await queue.read(wrong);
      await queue.write(wrong, Uint32Array.of(0));
      return found;
    },
    async remainder(memory: Allocation, divisor: number): Promise<number> {
      address.launch(queue, { global: 1, local: 1 }, memory, divisor, remainder);
      return (await queue.read(remainder))[0] ?? Number.NaN;
    },
  };
}
