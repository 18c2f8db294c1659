import { expect, test } from "vitest";
import { DeviceBuffer, kernelArgument, type MemoryLike, MemMigrationFlags } from "@cl/core";

import { wrongType } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

const numbers = (): DeviceBuffer<Int32Array> => DeviceBuffer.from(context, Int32Array.of(1, 2, 3));

/** For calls that TypeScript would reject. */
const migrate = (memories: unknown): unknown => queue.enqueueMigrate(memories as MemoryLike);

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

test("a migration rejects other objects, also those that stand for bytes", () => {
  expect(() => migrate([numbers(), 1])).toThrow(wrongType("memories[1]"));
  expect(() => migrate({ [kernelArgument]: () => ({ bytes: new Uint8Array(4) }) })).toThrow(wrongType("memories"));
});
