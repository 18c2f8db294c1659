/** The ring allocator of examples/custom-allocator. */
import { arrays } from "@cl/array";
import { CommandQueue, Context, type DeviceBuffer, OutOfMemoryError } from "@cl/core";
import { describeAllocator } from "@cl/tools/testing";
import { describe, expect, test } from "vitest";

import { RingAllocator } from "../../examples/custom-allocator/ring-allocator.js";

// Large enough for all allocations that the battery holds at the same time, including gaps.
describe("in CI", { tags: "ci" }, () => {
  describeAllocator("RingAllocator", ({ context }) => new RingAllocator(context, 2 ** 26), {
    usedBytes: (ring) => ring.usedBytes,
  });
});

const context = Context.create();
const alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign)) / 8;

test("RingAllocator wraps around and reuses memory only after the oldest part is released", () => {
  const ring = new RingAllocator(context, 8 * alignment);
  const take = (parts: number): DeviceBuffer => ring.allocate(parts * alignment) as DeviceBuffer;
  const [a, b, c] = [take(3), take(3), take(2)];
  expect(() => take(1)).toThrow(OutOfMemoryError);
  b.release();
  expect(() => take(1)).toThrow(OutOfMemoryError);
  expect(ring.usedBytes).toBe(8 * alignment);
  a.release(); // now b is free, too
  const d = take(4);
  expect([d.offset, c.offset]).toEqual([0, 6 * alignment]);
  expect(take(2).offset).toBe(4 * alignment);
  expect(() => take(1)).toThrow(OutOfMemoryError);
});

test("RingAllocator never splits a part at the end of the buffer", () => {
  const ring = new RingAllocator(context, 8 * alignment);
  const take = (parts: number): DeviceBuffer => ring.allocate(parts * alignment) as DeviceBuffer;
  const [a, b] = [take(4), take(3)];
  a.release();
  expect(take(2).offset).toBe(0); // 1 is left at the end
  b.release();
  expect(() => ring.allocate(9 * alignment)).toThrow(OutOfMemoryError);
});

test("arrays compute correct results in the ring", async () => {
  const queue = new CommandQueue(context);
  const ring = new RingAllocator(context, 2 ** 16);
  const xp = arrays(queue, { allocator: ring });
  const numbers = Float32Array.from({ length: 1000 }, (_, i) => i - 500);
  // About ten times the size of the ring in total.
  for (let round = 0; round < 50; round++) {
    using x = xp.array(numbers);
    using shifted = x.add(round);
    using squares = shifted.mul(shifted);
    expect(await squares.data()).toEqual(numbers.map((value) => (value + round) ** 2));
  }
  expect(ring.usedBytes).toBe(0);
});
