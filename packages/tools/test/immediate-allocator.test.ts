import { CommandQueue, Context, DeviceBuffer, DisposedError, handleCounts, MemFlags } from "@cl/core";
import { type BufferAllocatorOptions, ImmediateAllocator } from "@cl/tools";
import { expect, test } from "vitest";
import { wrongType } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);

test("ImmediateAllocator returns a buffer with allocated memory, and null for 0 bytes", async () => {
  const allocator = new ImmediateAllocator(queue, { access: "read-only" });
  using buffer = allocator.allocate(16);
  expect(buffer).toBeInstanceOf(DeviceBuffer);
  expect(buffer?.flags).toBe(MemFlags.READ_ONLY);
  await queue.write(buffer as DeviceBuffer, Uint8Array.of(1, 2, 3));
  expect([...queue.readSync(buffer as DeviceBuffer, Uint8Array, { length: 3 })]).toEqual([1, 2, 3]);
  expect(allocator.allocate(0)).toBeNull();
  expect(allocator.deferred).toBe(false);
  expect(allocator.context.equals(context)).toBe(true);
  expect(allocator.queue).toBe(queue);
});

test("ImmediateAllocator retains no event and no buffer", () => {
  const allocator = new ImmediateAllocator(queue);
  const before = handleCounts();
  for (let i = 0; i < 10; i++) allocator.allocate(64)?.release();
  expect(handleCounts()).toEqual(before);
});

test("ImmediateAllocator rejects an invalid queue and options that need host memory", () => {
  expect(() => new ImmediateAllocator(context as unknown as CommandQueue)).toThrow(wrongType("queue"));
  const options = { hostPointer: "use" } as unknown as BufferAllocatorOptions;
  expect(() => new ImmediateAllocator(queue, options)).toThrow(wrongType("options.hostPointer"));
});

test("ImmediateAllocator throws if the memory cannot be allocated, and leaks no buffer", () => {
  const own = new CommandQueue(context);
  const allocator = new ImmediateAllocator(own);
  own.release();
  const memory = handleCounts()["memory"];
  expect(memory).toBeTypeOf("number");
  expect(() => allocator.allocate(64)).toThrow(DisposedError);
  expect(handleCounts()).toMatchObject({ memory });
});
