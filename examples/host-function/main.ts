// The device splits frames into dark and light at a threshold that JavaScript chooses from each frame's histogram. All
// commands are enqueued in advance; the queue calls each frame's host function between its two kernels.
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);
// The host function transfers data on another queue, because its queue is waiting for it.
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
    const threshold = middleLevel(await side.read(counts));
    levels.push(threshold);
    await side.write(level, Uint8Array.of(threshold));
  });
  split.launch(queue, { global: size }, pixels, level, out);
  results.push(queue.read(out));
}
const light = (await Promise.all(results)).map((result) => result.filter((value) => value === 255).length);
const correct = light.every((found, k) => found === (k + 1) * 256);
console.log(correct ? `${frames} frames split at ${levels.join(", ")}` : `wrong: ${light.join(", ")} pixels are light`);

/** Returns a dark frame with a light part. Size and brightness grow from frame to frame. */
function frame(k: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i < (k + 1) * 256 ? 150 : 20) + 10 * k);
}

/** Returns the level halfway between the darkest and the lightest one in use. */
function middleLevel(histogram: Uint32Array): number {
  const first = histogram.findIndex((n) => n > 0);
  const last = histogram.findLastIndex((n) => n > 0);
  return (first + last) >> 1;
}
