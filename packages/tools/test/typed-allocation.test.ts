/** Buffers with an element type from allocators, pools and adaptors. */
import { CommandQueue, Context, type DeviceBuffer, type ElementType } from "@cl/core";
import {
  DeferredAllocator,
  ImmediateAllocator,
  LimitAdaptor,
  MemoryPool,
  StatisticsAdaptor,
  TrackAdaptor,
} from "@cl/tools";
import { describe, expect, expectTypeOf, test } from "vitest";

import { outOfRange } from "@cl/testing/error-like";

interface DoublesAllocator {
  allocate(type: ElementType<Float64Array>, length: number): DeviceBuffer<Float64Array> | null;
}

const context = Context.create();
const queue = new CommandQueue(context);
const immediate = new ImmediateAllocator(queue);

describe("a buffer of elements", () => {
  test("returns to its pool when it is released", async () => {
    const pool = new MemoryPool(immediate);
    {
      using floats = pool.allocate(Float32Array, 6);
      expectTypeOf(floats).toExtend<DeviceBuffer<Float32Array>>();
      expect([floats.length, floats.size, floats.type, pool.activeBlocks]).toEqual([6, 24, Float32Array, 1]);
      queue.enqueueFill(floats, 2);
      expect(await queue.read(floats)).toEqual(new Float32Array(6).fill(2));
    }
    expect([pool.activeBlocks, pool.heldBlocks]).toEqual([0, 1]);
    pool.named("mine").allocate(Int16Array, 12).release();
    // The next owner of the block does not inherit the type.
    expect(pool.allocate(24).type).toBeUndefined();
  });

  test.each<[string, DoublesAllocator]>([
    ["a deferred allocator", new DeferredAllocator(context)],
    ["an immediate allocator", immediate],
    ["a limit", new LimitAdaptor(immediate, 1000)],
    ["a tracker", new TrackAdaptor(immediate)],
    ["statistics", new StatisticsAdaptor(immediate)],
  ])("can be allocated from %s", (_, allocator) => {
    const buffer = allocator.allocate(Float64Array, 5);
    expect([buffer?.length, buffer?.type]).toEqual([5, Float64Array]);
    buffer?.release();
    expect(allocator.allocate(Float64Array, 0)).toBeNull();
    expect(() => allocator.allocate(Float64Array, -1)).toThrow(outOfRange("length"));
    expect(() => allocator.allocate(Map as never, 1)).toThrow(Error);
  });
});
