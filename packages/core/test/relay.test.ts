/** Relays: parts of buffers that another native addon changes in queue order (test/support/relay). */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import {
  CommandQueue,
  CommandStatistics,
  CommandStatus,
  CommandTrace,
  Context,
  DeviceBuffer,
  OpenCLError,
  UserEvent,
} from "@cl/core";
import { needs, until } from "@cl/base/testing";
import { Relay } from "@cl/core/internal";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { context, device, kernelOf, queue } from "./support/kernels.js";
import { disposed } from "@cl/testing/core-errors";
import { wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

interface Addon {
  receiver(bytes: number, milliseconds: number, status: number): unknown;
  released(): number;
}

let addon: Addon | undefined;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "cl-relay-"));
  const require = createRequire(import.meta.resolve("@cl/core/package.json"));
  const { include_dir: headers } = require("node-api-headers") as { readonly include_dir: string };
  const file = path.join(folder, "receiver.node");
  const source = fileURLToPath(new URL("support/relay/receiver.cc", import.meta.url));
  const native = path.join(path.dirname(require.resolve("@cl/core/package.json")), "native");
  const options = ["-std=c++20", "-shared", "-fPIC", "-I", headers, "-I", native];
  try {
    execFileSync(process.env["CXX"] ?? "g++", [...options, source, "-o", file]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  addon = require(file) as Addon;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

beforeEach((run) => needs(run, addon !== undefined, "there is no C++ compiler"));

/** A column of two rows of four bytes. */
const column = { region: [1, 2, 1], pitches: [4, 8] } as const;

/** A relay that moves column 1 of `from` to column 2 of `to`. */
function columns(from: DeviceBuffer, to: DeviceBuffer, milliseconds = 0, status = 0): Relay {
  const receiver = (addon as Addon).receiver(2, milliseconds, status);
  return new Relay(context, { receiver, number: 7 })
    .read(from, { ...column, origin: [1, 0, 0], message: 0, offset: 0 })
    .write(to, { ...column, origin: [2, 0, 0], message: 0, offset: 0 });
}

function bytes(...values: number[]): DeviceBuffer {
  return DeviceBuffer.from(context, Uint8Array.from(values));
}

const buffers = (): [DeviceBuffer, DeviceBuffer] => [bytes(1, 2, 3, 4, 5, 6, 7, 8), bytes(0, 0, 0, 0, 0, 0, 0, 0)];

const twice = kernelOf("__kernel void twice(__global uchar *x) { x[get_global_id(0)] *= 2; }");

test("what a queue reads is changed by another addon and written, in queue order", async () => {
  const [from, to] = buffers();
  const relay = columns(from, to, 20);
  twice.launch(queue, { global: 8 }, from);
  const event = relay.enqueue(queue);
  twice.launch(queue, { global: 8 }, to);
  await event.wait();
  expect([...(await queue.read(to, Uint8Array))]).toEqual([0, 0, 2 * 5, 0, 0, 0, 2 * 13, 0]);
  // JavaScript takes no part, so it may be blocked.
  for (let turn = 0; turn < 3; turn++) relay.launch(queue);
  queue.finishSync();
  expect([...queue.readSync(to, Uint8Array)]).toEqual([0, 0, 5, 0, 0, 0, 13, 0]);
  relay.release();
});

test("a turn that ends as soon as it begins may fail with its wait list", async (run) => {
  needs(run, !device.name.startsWith("basic"), "the device has no user events");
  const [from, to] = buffers();
  const relay = columns(from, to, -1);
  const gate = new UserEvent(context);
  const turn = relay.enqueue(queue, gate);
  gate.fail();
  await expect(turn.wait()).rejects.toThrow(OpenCLError);
  await relay.enqueue(new CommandQueue(context)).wait();
});

test("copies boxes from buffer to buffer after its reads, and before later commands", async () => {
  const from = bytes(0, 1, 2, 3, 4, 5, 6, 7);
  const to = bytes(9, 9, 9, 9, 9, 9, 9, 9);
  const relay = columns(from, to, 20).copy(from, { ...column, origin: [3, 0, 0] }, from, {
    ...column,
    origin: [1, 0, 0],
  });
  relay.launch(queue);
  twice.launch(queue, { global: 8 }, from);
  // The other addon has got column 1 as it was before the copy.
  expect([...(await queue.read(to, Uint8Array))]).toEqual([9, 9, 1 + 1, 9, 9, 9, 5 + 1, 9]);
  expect([...(await queue.read(from, Uint8Array))]).toEqual([0, 6, 4, 6, 8, 14, 12, 14]);
});

test("writes fail if the other addon fails, also those that are awaited before", async () => {
  const own = Context.create();
  const ownQueue = new CommandQueue(own);
  // Many that fail immediately, some of them before the writes were enqueued.
  for (const milliseconds of [20, ...Array.from({ length: 30 }, () => 0)]) {
    const [from, to] = [1, 2].map(() => DeviceBuffer.from(own, new Uint8Array(8))) as [DeviceBuffer, DeviceBuffer];
    const receiver = (addon as Addon).receiver(2, milliseconds, -5);
    const relay = new Relay(own, { receiver, number: 0 });
    relay.read(from, { ...column, origin: [0, 0, 0], message: 0, offset: 0 });
    relay.write(to, { ...column, origin: [0, 0, 0], message: 0, offset: 0 });
    await expect(relay.enqueue(ownQueue).wait()).rejects.toThrow(OpenCLError);
  }
});

test("statistics record how long a queue waits for the other addon", async () => {
  const profiled = new CommandQueue(context, { profiling: true });
  const [from, to] = buffers();
  const milliseconds = 20;
  const relay = columns(from, to, milliseconds);
  const waits = new CommandStatistics();
  const trace = new CommandTrace().watch(waits, "waits");
  for (let turn = 0; turn < 3; turn++) {
    const event = relay.enqueue(profiled, undefined, waits);
    await event.wait();
    // The wait is over when the writes start.
    const { start } = event.profile;
    expect(waits.recent.at(-1)?.end).toBeLessThanOrEqual(start);
  }
  const { count, failed, min } = waits.snapshot();
  expect([count, failed]).toEqual([3, 0]);
  expect(min).toBeGreaterThanOrEqual(milliseconds * 1e6);
  expect(trace.commands().map(({ onHost, name }) => (onHost ? "host" : name))).toEqual(["waits", "waits", "waits"]);
  // Not without profiling.
  relay.enqueue(queue, undefined, waits);
  await queue.finish();
  expect(waits.snapshot().count).toBe(3);
  expect([...(await queue.read(to, Uint8Array))]).toEqual([0, 0, 3, 0, 0, 0, 7, 0]);
  // The first of several writes, or a marker in place of none, ends the wait.
  for (const writes of [0, 3]) {
    const other = new Relay(context, { receiver: (addon as Addon).receiver(2, milliseconds, 0), number: 8 });
    for (let i = 0; i < writes; i++) other.write(to, { ...column, origin: [i, 0, 0], message: 0, offset: 0 });
    await other.enqueue(profiled, undefined, waits).wait();
  }
  const { count: all, min: least } = waits.snapshot();
  expect([all, least >= milliseconds * 1e6]).toEqual([5, true]);
  expect([...(await queue.read(to, Uint8Array))]).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
});

test("a wait starts after the commands between the halves", async () => {
  const profiled = new CommandQueue(context, { profiling: true });
  const [from, to] = buffers();
  const relay = columns(from, to, 20);
  const waits = new CommandStatistics();
  relay.begin(profiled);
  const between = profiled.enqueueFill(from, Uint8Array.of(9));
  await relay.end(profiled, waits).wait();
  expect(waits.recent.map(({ start }) => start >= between.profile.end)).toEqual([true]);
  relay.begin(profiled);
  await relay.end(profiled).wait();
});

test("an idle relay only copies", async () => {
  const profiled = new CommandQueue(context, { profiling: true });
  const [from, to] = buffers();
  const receiver = (addon as Addon).receiver(2, 20, -5);
  const relay = new Relay(context, { receiver, number: 0, isIdle: true });
  relay.copy(from, { ...column, origin: [1, 0, 0] }, to, { ...column, origin: [2, 0, 0] });
  const waits = new CommandStatistics();
  await relay.enqueue(profiled, undefined, waits).wait();
  expect([...(await queue.read(to, Uint8Array))]).toEqual([0, 0, 2, 0, 0, 0, 6, 0]);
  profiled.enqueueFill(from, Uint8Array.of(9));
  relay.begin(profiled);
  expect(() => relay.begin(profiled)).toThrow(wrongValue());
  await relay.end(profiled, waits).wait();
  expect(() => relay.end(profiled)).toThrow(wrongValue());
  relay.launch(profiled);
  expect([...(await profiled.read(to, Uint8Array))]).toEqual([0, 0, 9, 0, 0, 0, 9, 0]);
  const { count, failed, total } = waits.snapshot();
  expect([count, failed, total]).toEqual([2, 0, 0]);
});

test("commands between the halves run while the other addon works, and later ones after the writes", async () => {
  const [from, to, other] = [bytes(1, 2, 3, 4, 5, 6, 7, 8), bytes(0, 0, 0, 0, 0, 0, 0, 0), bytes(0, 0)];
  const relay = columns(from, to, 100);
  for (let round = 1; round <= 5; round++) {
    // What was enqueued before is read.
    queue.enqueueFill(from, Uint8Array.of(round));
    relay.begin(queue);
    // Ends while the other addon still has its turn.
    expect([...(await queue.read(other, Uint8Array))]).toEqual([round - 1, round - 1]);
    const between = queue.enqueueFill(other, Uint8Array.of(round));
    const end = relay.end(queue);
    const after = queue.enqueueFill(from, Uint8Array.of(0));
    await between.wait();
    expect(end.status).not.toBe(CommandStatus.COMPLETE);
    expect([...(await queue.read(to, Uint8Array))]).toEqual([0, 0, round + 1, 0, 0, 0, round + 1, 0]);
    await after.wait();
  }
});

test("a wait that fails counts as failed", async () => {
  const own = Context.create();
  const profiled = new CommandQueue(own, { profiling: true });
  const [from, to] = [1, 2].map(() => DeviceBuffer.from(own, new Uint8Array(8))) as [DeviceBuffer, DeviceBuffer];
  const receiver = (addon as Addon).receiver(2, 20, -5);
  const relay = new Relay(own, { receiver, number: 0 });
  relay.read(from, { ...column, origin: [0, 0, 0], message: 0, offset: 0 });
  for (const offset of [0, 2]) relay.write(to, { ...column, origin: [offset, 0, 0], message: 0, offset: 0 });
  const waits = new CommandStatistics();
  await expect(relay.enqueue(profiled, undefined, waits).wait()).rejects.toThrow(OpenCLError);
  // Commands that fail may end in any order.
  await until(() => waits.snapshot().failed === 1);
  expect(waits.snapshot().count).toBe(0);
});

test("the other addon learns when a released relay has no turns left", async () => {
  const [from, to] = buffers();
  const { released } = addon as Addon;
  const before = released();
  const [relay, unused] = [columns(from, to, 200), columns(from, to)];
  unused.release();
  expect(released()).toBe(before + 1);
  relay.launch(queue);
  relay.release();
  queue.flush();
  expect(released()).toBe(before + 1);
  await queue.finish();
  await until(() => released() === before + 2);
});

test("turns on two queues do not overlap", async () => {
  const [from, to] = buffers();
  const relay = columns(from, to, 20);
  const other = new CommandQueue(context);
  for (let round = 0; round < 5; round++) {
    relay.launch(queue);
    relay.launch(other);
  }
  await Promise.all([queue.finish(), other.finish()]);
  // A turn that reads while another one adds 1 would add 2, or none.
  expect([...(await queue.read(to, Uint8Array))]).toEqual([0, 0, 3, 0, 0, 0, 7, 0]);
  relay.release();
});

test("mistakes throw before anything is enqueued", () => {
  const [from, to] = buffers();
  expect(() => new Relay(context, { receiver: {}, number: 0 })).toThrow(wrongValue());
  const relay = columns(from, to);
  const other = Context.create();
  const foreign = DeviceBuffer.from(other, new Uint8Array(8));
  expect(() => relay.read(foreign, { ...column, origin: [0, 0, 0], message: 0, offset: 0 })).toThrow(
    wrongType("context"),
  );
  expect(() => relay.launch(new CommandQueue(other))).toThrow(wrongValue());
  const long = columns(from, to).read(from, { ...column, origin: [0, 0, 0], message: 0, offset: 1 });
  expect(() => long.launch(queue)).toThrow(wrongValue());
  expect(() => relay.launch(new CommandQueue(context, { outOfOrder: true }))).toThrow(wrongState());
  expect(() => relay.end(queue)).toThrow(wrongValue());
  relay.begin(queue);
  expect(() => relay.begin(queue)).toThrow(wrongValue());
  relay.end(queue);
  to.release();
  expect(() => relay.launch(queue)).toThrow(disposed());
  relay.release();
  expect(() => relay.launch(queue)).toThrow(disposed());
});
