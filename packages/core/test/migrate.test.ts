import { expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, DisposedError, kernelArgument, type MemoryLike } from "@cl/core";

import { runChild } from "./fixtures/child.js";

const context = Context.create();
const queue = new CommandQueue(context);

/** For calls that TypeScript would reject. */
const migrate = (memories: unknown, options?: unknown): unknown =>
  queue.enqueueMigrate(memories as MemoryLike, options as undefined);

test.each([
  ["device", "to the device"],
  ["several", "with others"],
  ["host", "to the host"],
  ["undefined", "without its contents"],
  ["wrapper", "by what stands for it in kernel arguments, as a pooled buffer does"],
  ["gated", "after the events that were given"],
])("memory migrates (%s: %s)", async (how) => {
  const end = await runChild("migrate.mjs", { args: [how] });
  expect(end, end.trace).toMatchObject({ code: 0, signal: null, stderr: "" });
  expect(end.stdout).toBe(how === "undefined" ? "any" : "1,2,3");
});

test("a migration rejects an empty list, other objects, released memory and unknown flags", () => {
  const buffer = new DeviceBuffer(context, 8);
  expect(() => migrate([])).toThrow("at least one memory object");
  expect(() => migrate(undefined)).toThrow("memories must be a MemoryObject");
  expect(() => migrate([buffer, 1])).toThrow("memories[1] must be a MemoryObject");
  expect(() => migrate({ [kernelArgument]: () => ({ bytes: new Uint8Array(4) }) })).toThrow("memories must be");
  expect(() => migrate(buffer, { flags: 64 })).toThrow("options.flags must be a combination of MemMigrationFlags");
  expect(() => migrate(buffer, { flags: "HOST" })).toThrow("options.flags");
  expect(() => migrate(new DeviceBuffer(Context.create(), 8))).toThrow("another context");
  buffer.release();
  expect(() => migrate(buffer)).toThrow(DisposedError);
});
