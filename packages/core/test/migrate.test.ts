import { expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, kernelArgument, type MemoryLike, MemMigrationFlags } from "@cl/core";

import { disposed } from "@cl/testing/core-errors";
import { wrongType, wrongValue } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const numbers = (): DeviceBuffer<Int32Array> => DeviceBuffer.from(context, Int32Array.of(1, 2, 3));

/** For calls that TypeScript would reject. */
const migrate = (memories: unknown, options?: unknown): unknown =>
  queue.enqueueMigrate(memories as MemoryLike, options as undefined);

test.each<[string, (buffer: DeviceBuffer) => MemoryLike | readonly MemoryLike[], number]>([
  ["to the device", (buffer) => buffer, 0],
  ["with others", (buffer) => [buffer, new DeviceBuffer(context, 8)], 0],
  ["to the host", (buffer) => buffer, MemMigrationFlags.HOST],
  ["by what stands for it in kernel arguments", (buffer) => ({ [kernelArgument]: () => ({ memory: buffer }) }), 0],
])("memory migrates %s with its contents", async (_, memories, flags) => {
  const buffer = numbers();
  await queue.enqueueMigrate(memories(buffer), { flags }).wait();
  expect([...(await queue.read(buffer))]).toEqual([1, 2, 3]);
});

test("memory migrates without its contents", async () => {
  const event = queue.enqueueMigrate(numbers(), { flags: MemMigrationFlags.CONTENT_UNDEFINED });
  await expect(event.wait()).resolves.toBeUndefined();
});

test("a migration rejects an empty list, other objects, released memory and unknown flags", () => {
  const buffer = numbers();
  expect(() => migrate([])).toThrow(wrongType("memories"));
  expect(() => migrate(undefined)).toThrow(wrongType("memories"));
  expect(() => migrate([buffer, 1])).toThrow(wrongType("memories[1]"));
  expect(() => migrate({ [kernelArgument]: () => ({ bytes: new Uint8Array(4) }) })).toThrow(wrongType("memories"));
  expect(() => migrate(buffer, { flags: 64 })).toThrow(wrongType("options.flags"));
  expect(() => migrate(buffer, { flags: "HOST" })).toThrow(wrongType("options.flags"));
  expect(() => migrate(new DeviceBuffer(Context.create(), 8))).toThrow(wrongValue());
  buffer.release();
  expect(() => migrate(buffer)).toThrow(disposed());
});
