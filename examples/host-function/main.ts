// Frames are split into dark and light on the device, at a level that JavaScript chooses from each frame's histogram. The
// whole pipeline is enqueued at once: each frame's host function runs between its two kernels, when its turn comes.
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);
// What the host function moves itself goes over another queue: its own one waits for it.
const side = new CommandQueue(context);
const program = await new Program(
  context,
  `
  __kernel void count_levels(__global const uchar *pixels, __global uint *counts) {
    atomic_inc(&counts[pixels[get_global_id(0)]]);
  }

  __kernel void split_at(__global const uchar *pixels, __global const uchar *level, __global uchar *out) {
    size_t i = get_global_id(0);
    out[i] = pixels[i] > level[0] ? 255 : 0;
  }`,
).build();
const count = program.kernel("count_levels");
const split = program.kernel("split_at");

const size = 64 * 64;
const frames = 8;
const pixels = DeviceBuffer.empty(context, Uint8Array, size);
const counts = DeviceBuffer.empty(context, Uint32Array, 256);
const level = DeviceBuffer.empty(context, Uint8Array, 1);
const out = DeviceBuffer.empty(context, Uint8Array, size);

const levels: number[] = [];
const results: Promise<Uint8Array>[] = [];
for (let k = 0; k < frames; k++) {
  queue.enqueueCopy(pixels, frame(k));
  queue.enqueueFill(counts, 0);
  count.launch(queue, { global: size }, pixels, counts);
  queue.enqueueHostFunction(async () => {
    const chosen = between(await side.read(counts));
    levels.push(chosen);
    await side.write(level, Uint8Array.of(chosen));
  });
  split.launch(queue, { global: size }, pixels, level, out);
  results.push(queue.read(out));
}
const light = (await Promise.all(results)).map((result) => result.filter((value) => value === 255).length);
const right = light.every((found, k) => found === (k + 1) * 256);
console.log(right ? `${frames} frames split at ${levels.join(", ")}` : `wrong: ${light.join(", ")} pixels are light`);

/** A dark frame with a light part that grows, both brighter from frame to frame. */
function frame(k: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i < (k + 1) * 256 ? 150 : 20) + 10 * k);
}

/** Halfway between the darkest and the lightest level that occur. */
function between(histogram: Uint32Array): number {
  const first = histogram.findIndex((n) => n > 0);
  const last = histogram.findLastIndex((n) => n > 0);
  return (first + last) >> 1;
}
