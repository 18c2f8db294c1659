import { expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DisposedError,
  kernelArgument,
  type MemoryLike,
  MemMigrationFlags,
  UserEvent,
} from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);

/** Callers that TypeScript would not let through. */
const migrate = (memories: unknown, options?: unknown): unknown =>
  queue.enqueueMigrate(memories as MemoryLike, options as undefined);

test("memory moves to the device and to the host, and keeps its contents", async () => {
  const buffer = DeviceBuffer.from(context, Int32Array.of(1, 2, 3));
  await queue.enqueueMigrate(buffer).wait();
  await queue.enqueueMigrate([buffer, new DeviceBuffer(context, 8)], { flags: MemMigrationFlags.HOST }).wait();
  expect([...(await queue.read(buffer))]).toEqual([1, 2, 3]);
});

test("what stands for memory in kernel arguments, as a pooled buffer does, can be migrated too", async () => {
  const memory = new DeviceBuffer(context, 8);
  const event = queue.enqueueMigrate({ [kernelArgument]: () => ({ memory }) });
  await event.wait();
  expect(event.status).toBe(0);
});

test("a migration waits for events", async () => {
  const gate = new UserEvent(context);
  const event = queue.enqueueMigrate(new DeviceBuffer(context, 8), { waitFor: gate });
  queue.flush();
  expect(event.status).toBeGreaterThan(0);
  gate.complete();
  await event.wait();
});

test("a migration refuses nothing, other objects, released memory and unknown flags", () => {
  const buffer = new DeviceBuffer(context, 8);
  expect(() => migrate([])).toThrow("at least one memory object");
  expect(() => migrate(undefined)).toThrow("memories must be a MemoryObject");
  expect(() => migrate([buffer, 1])).toThrow("memories[1] must be a MemoryObject");
  expect(() => migrate({ [kernelArgument]: () => ({ bytes: new Uint8Array(4) }) })).toThrow("memories must be");
  expect(() => migrate(buffer, { flags: 64 })).toThrow("options.flags must be flags of MemMigrationFlags");
  expect(() => migrate(buffer, { flags: "HOST" })).toThrow("options.flags");
  expect(() => migrate(new DeviceBuffer(Context.create(), 8))).toThrow("another context");
  buffer.release();
  expect(() => migrate(buffer)).toThrow(DisposedError);
});
