import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { describe, expect, test } from "vitest";
import {
  CommandQueue,
  CommandStatistics,
  CommandTrace,
  DeviceBuffer,
  DisposedError,
  handleCount,
  hostTime,
  LaunchList,
  OpenCLError,
  Program,
  profilingTimes,
  queueNumber,
  tracedQueue,
  UserEvent,
} from "@cl/core";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { lastResult, runModule } from "@cl/testing/run-module";
import { collectGarbage, collectUntil, needs, turns } from "@cl/base/testing";
import { errorLike, wrongType, wrongValue } from "@cl/testing/error-like";
import { overtakes } from "./support/overtaking.js";
import { context } from "./support/kernels.js";

const queue = new CommandQueue(context, { profiling: true });
const plain = new CommandQueue(context);
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));
const program = new Program(
  context,
  `__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }
   __kernel void also(__global int *x, int a) { x[get_global_id(0)] -= a; }`,
).buildSync();
const x = DeviceBuffer.empty(context, Int32Array, 64);

test("statistics of events match their profiling times, and reading them changes nothing", async () => {
  const statistics = new CommandStatistics({ label: "fills" });
  expect(statistics.snapshot()).toMatchObject({ count: 0, failed: 0, total: 0, mean: NaN, min: NaN, p50: NaN });
  const events = Array.from({ length: 1000 }, (_, i) => queue.enqueueFill(x, i));
  for (const event of events) statistics.add(event);
  await queue.finish();
  const times = profilingTimes(events, ["queued", "submit", "start", "end"]);
  const durations = events.map((_, i) => Number((times[4 * i + 3] as bigint) - (times[4 * i + 2] as bigint)));
  const total = durations.reduce((sum, one) => sum + one, 0);
  const mean = total / 1000;
  const std = Math.sqrt(durations.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 1000);
  const first = statistics.snapshot();
  expect(first).toMatchObject({ count: 1000, total, mean, std: expect.closeTo(std, 3) as number });
  expect(first).toMatchObject({ min: Math.min(...durations), max: Math.max(...durations) });
  expect(first.queueDelay.count).toBeGreaterThan(0);
  expect(first.submitDelay.count).toBeGreaterThan(0);
  expect(statistics.snapshot()).toEqual(first);
  expect(structuredClone(first)).toEqual(first);
  expect(JSON.parse(JSON.stringify({ ...first, gbPerSecond: 0 }))).toEqual({ ...first, gbPerSecond: 0 });
  const sorted = durations.toSorted((a, b) => a - b);
  for (const [found, exact] of [
    [first.p50, sorted[499]],
    [first.p95, sorted[949]],
  ] as [number, number][]) {
    expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.0101 * exact);
  }
  const recent = statistics.recent.map(({ start, end }) => Number(end - start));
  expect(recent).toEqual(durations.slice(-32));
  expect(statistics.pending).toBe(0);
});

test("a pending command is not counted by statistics that are created after its own were released", async () => {
  const kernel = program.kernel("add");
  for (let i = 0; i < 20; i++) {
    const statistics = new CommandStatistics();
    kernel.statistics = statistics;
    statistics.release();
    kernel.launch(queue, { global: 1 }, x, 1);
    kernel.statistics = undefined;
    const next = new CommandStatistics();
    await queue.finish();
    expect(next.snapshot().count).toBe(0);
  }
});

test("a kernel's statistics do not count the launches of kernels that are bound to it", async () => {
  const kernel = program.kernel("add");
  const statistics = new CommandStatistics();
  kernel.statistics = statistics;
  const bound = kernel.bind({ global: 1 }, x, 1);
  expect(bound.statistics).toBe(undefined);
  bound.launch(queue);
  await queue.finish();
  expect(statistics.snapshot()).toMatchObject({ count: 0, untimed: 0 });
});

test("drain() returns each command once and leaves pending ones for the next call", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  const statistics = new CommandStatistics();
  for (let i = 0; i < 10; i++) statistics.add(queue.enqueueFill(x, i));
  await queue.finish();
  const gate = new UserEvent(context);
  const late = Array.from({ length: 7 }, (_, i) => queue.enqueueFill(x, i, { waitFor: gate }));
  for (const event of late) statistics.add(event);
  queue.flush();
  expect(statistics.pending).toBe(7);
  expect(statistics.drain().count).toBe(10);
  expect(statistics.snapshot()).toMatchObject({ count: 0, mean: Number.NaN, sketch: { bins: [] } });
  expect(statistics.recent).toEqual([]);
  gate.complete();
  await queue.finish();
  expect(statistics.drain().count).toBe(7);
  expect(statistics.drain().count).toBe(0);
});

test("a kernel counts its launches on profiling queues only, with or without events", async () => {
  const statistics = new CommandStatistics({ bytes: 512 });
  const kernel = program.kernel("add");
  using bound = kernel.bind({ global: 64 }, x, 1);
  bound.statistics = statistics;
  expect(bound.statistics).toBe(statistics);
  for (let i = 0; i < 700; i++) bound.launch(queue);
  bound.launchRows(queue, ["a"], Float64Array.of(1, 2, 3));
  const event = bound.enqueue(queue);
  bound.launch(plain);
  bound.enqueue(plain).release();
  bound.launchAndFinishSync(queue);
  await event.wait();
  await plain.finish();
  expect(event.profile.end).toBeGreaterThan(0n);
  const snapshot = statistics.snapshot();
  expect(snapshot).toMatchObject({ count: 705, bytes: 705 * 512 });
  expect(snapshot.gbPerSecond).toBe(snapshot.bytes / snapshot.total);

  kernel.statistics = statistics;
  kernel.launch(queue, { global: 64 }, x, 1);
  kernel.setArgs(x, 2).launchWithSetArgs(queue, { global: 32 });
  bound.statistics = undefined;
  bound.launch(queue);
  kernel.statistics = undefined;
  kernel.launch(queue, { global: 64 }, x, 1);
  await queue.finish();
  expect(statistics.snapshot().count).toBe(707);
});

test.each([false, true])("a launch list counts each of its commands (out of order: %s)", async (outOfOrder) => {
  const target = new CommandQueue(context, { profiling: true, outOfOrder });
  const of = (bytes: number): CommandStatistics => new CommandStatistics({ bytes });
  const [adds, also, fills, copies] = [of(8), of(12), of(16), of(32)];
  const all = [adds, also, fills, copies];
  const y = DeviceBuffer.empty(context, Int32Array, 64);
  const add = program.kernel("add").bind({ global: 64 }, x, 1);
  add.statistics = adds;
  using list = new LaunchList(context)
    .pushFill(x, 3, { statistics: fills })
    .push(add, { after: [0] })
    .pushCopy(y, x, { statistics: copies, after: [1] })
    .push(add, { statistics: also, after: [2] })
    .pushBarrier()
    .pushFill(y, 7, { after: [3] });
  for (let i = 0; i < 300; i++) list.launch(target);
  await list.enqueue(target).wait();
  await target.finish();
  list.launch(plain);
  await plain.finish();
  const snapshots = all.map((one) => one.snapshot());
  expect(snapshots.map(({ count, failed, untimed }) => [count, failed, untimed])).toEqual(all.map(() => [301, 0, 0]));
  expect(snapshots.map(({ bytes }) => bytes / 301)).toEqual([8, 12, 16, 32]);
});

test("a blocked command does not delay the count of others, on an out-of-order queue or another queue", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  const statistics = new CommandStatistics();
  const free = new CommandQueue(context, { profiling: true, outOfOrder: true, label: "free" });
  needs(run, await overtakes(free), "the driver keeps the commands of an out-of-order queue in order");
  const held = new CommandQueue(context, { profiling: true });
  const gate = new UserEvent(context);
  statistics.add(held.enqueueFill(x, 1, { waitFor: gate }));
  held.flush();
  // More events than one poll checks.
  const own = DeviceBuffer.empty(context, Int32Array, 4);
  for (let i = 0; i < 40; i++) statistics.add(free.enqueueFill(own, 1, { waitFor: gate }));
  const events = Array.from({ length: 500 }, (_, i) => free.enqueueFill(DeviceBuffer.empty(context, Int32Array, 4), i));
  for (const event of events) statistics.add(event);
  free.flush();
  for (const event of events) await event.wait();
  expect(statistics.snapshot().count).toBe(500);
  expect(statistics.pending).toBe(41);
  gate.complete();
  await Promise.all([free.finish(), held.finish()]);
  expect(statistics.snapshot().count).toBe(541);
  expect(queueNumber(free)).not.toBe(queueNumber(held));
  expect(tracedQueue(queueNumber(free))).toMatchObject({ label: "free", device: free.device, outOfOrder: true });
  expect(tracedQueue(0)).toBeUndefined();
});

test("events without profiling times, observing itself and use after release throw", () => {
  const statistics = new CommandStatistics();
  const event = plain.enqueueMarker();
  expect(() => statistics.add(event)).toThrow(errorLike(OpenCLError, "CL_PROFILING_INFO_NOT_AVAILABLE"));
  expect(() => statistics.add(new UserEvent(context))).toThrow(wrongType("event"));
  expect(() => statistics.addObserver(statistics)).toThrow(wrongValue("statistics"));
  expect(statistics.snapshot()).toMatchObject({ count: 0, failed: 0, untimed: 0 });
  statistics.release();
  expect(() => statistics.snapshot()).toThrow(DisposedError);
});

test("host functions are timed by the host's clock, and failures are counted and traced", async () => {
  const statistics = new CommandStatistics();
  const trace = new CommandTrace().watch(statistics, "step");
  const before = hostTime();
  expect(statistics.time(() => 7)).toBe(7);
  let inside = 0;
  const run = async (): Promise<string> => {
    const began = hostTime();
    await turns();
    inside = hostTime() - began;
    return "late";
  };
  await expect(statistics.time(run)).resolves.toBe("late");
  const took = hostTime() - before;
  expect(() =>
    statistics.time(() => {
      throw new Error("oops");
    }),
  ).toThrow("oops");
  await expect(statistics.time(() => Promise.reject(new Error("later")))).rejects.toThrow("later");
  expect(trace.commands().map((one) => one.failed)).toEqual([undefined, undefined, "exception", "exception"]);
  expect(trace.commands()[2]).toMatchObject({ name: "step", onHost: true });
  const { count, failed, max } = statistics.snapshot();
  expect({ count, failed }).toEqual({ count: 2, failed: 2 });
  expect(max).toBeGreaterThanOrEqual(inside);
  expect(max).toBeLessThanOrEqual(took);
});

test("observers have independent counts", async () => {
  const own = new CommandStatistics({ bytes: 8 });
  const observer = new CommandStatistics();
  own.addObserver(observer).addObserver(observer);
  own.add(queue.enqueueFill(x, 1));
  await queue.finish();
  expect(own.drain()).toMatchObject({ count: 1, bytes: 8 });
  own.add(queue.enqueueFill(x, 1)).add(queue.enqueueFill(x, 2));
  await queue.finish();
  expect(observer.snapshot()).toMatchObject({ count: 3, bytes: 24 });
  own.removeObserver(observer);
  own.add(queue.enqueueFill(x, 1));
  await queue.finish();
  expect(observer.snapshot().count).toBe(3);
  expect(own.snapshot().count).toBe(3);
});

describe("a trace", () => {
  test("keeps the latest commands with names, sizes and times, and counts dropped ones", async () => {
    const trace = new CommandTrace({ capacity: 5 });
    const adds = new CommandStatistics({ bytes: 16 });
    const fills = new CommandStatistics();
    trace.watch(adds, "add").watch(fills, "fill");
    const kernel = program.kernel("add").bind({ global: [8, 2], local: [4, 1] }, x, 1);
    kernel.statistics = adds;
    for (let i = 0; i < 4; i++) {
      kernel.launch(queue);
      fills.add(queue.enqueueFill(x, i));
    }
    await queue.finish();
    const commands = trace.commands();
    expect(commands.map(({ name }) => name)).toEqual(["fill", "add", "fill", "add", "fill"]);
    expect(trace.dropped).toBe(3);
    expect(commands[1]).toMatchObject({ onHost: false, bytes: 16, global: [8, 2], local: [4, 1] });
    expect(commands[0]).not.toHaveProperty("global");
    // Of the fill, only the event was recorded.
    expect(commands.slice(0, 2).map(({ called }) => called !== undefined)).toEqual([false, true]);
    for (const { times, enqueued } of commands) {
      expect(times.end).toBeGreaterThanOrEqual(times.start);
      expect(enqueued).toBeGreaterThan(0n);
    }
    fills.time(() => undefined, { queue });
    expect(trace.drain().at(-1)).toMatchObject({ name: "fill", onHost: true, queue: queueNumber(queue) });
    expect(trace.commands()).toEqual([]);
    expect(trace.dropped).toBe(0);
    trace.unwatch(fills);
    fills.time(() => undefined);
    expect(trace.commands()).toEqual([]);
  });

  test("records the dependencies of a list's commands for each launch on an out-of-order queue", async () => {
    const [fills, adds, last] = [new CommandStatistics(), new CommandStatistics(), new CommandStatistics()];
    const trace = new CommandTrace({ capacity: 9 }).watch(fills, "fill").watch(adds, "add").watch(last, "last");
    const y = DeviceBuffer.empty(context, Int32Array, 64);
    const list = new LaunchList(context)
      .pushFill(x, 3, { statistics: fills })
      .push(program.kernel("add").bind({ global: 64 }, x, 1), { statistics: adds, after: [0] })
      .pushFill(y, 7, { statistics: fills })
      .pushCopy(x, y, { statistics: last, after: [1, 2] });
    const loose = new CommandQueue(context, { profiling: true, outOfOrder: true });
    const named = (): [name: string, after: string[]][] => {
      const commands = trace.drain();
      const names = new Map(commands.map(({ serial, name }) => [serial, name]));
      return commands
        .toSorted((a, b) => a.serial - b.serial)
        .map(({ name, after }) => [name, after.map((serial) => names.get(serial) ?? "dropped")]);
    };
    const before = BigInt(hostTime());
    for (let i = 0; i < 2; i++) list.launch(loose);
    await loose.finish();
    const once = [
      ["fill", []],
      ["add", ["fill"]],
      ["fill", []],
      ["last", ["add", "fill"]],
    ];
    const calls = trace.commands().map(({ called = 0n, enqueued }) => called > before && called <= enqueued);
    expect(calls).toEqual(Array(8).fill(true));
    expect(named()).toEqual([...once, ...once]);
    // An in-order queue needs no dependencies.
    list.launch(queue);
    await queue.finish();
    expect(trace.commands().map(({ serial, after }) => [serial, after])).toEqual(once.map(() => [0, []]));
  });
});

test("releasing or collecting statistics while commands are pending leaks no handle", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  await collectGarbage();
  const before = handleCount();
  let collected = false;
  const gate = new UserEvent(context);
  const observer = new CommandStatistics();
  const pending = (): void => {
    const released = new CommandStatistics();
    const dropped = new CommandStatistics().addObserver(observer).onReleased(() => (collected = true));
    for (let i = 0; i < 50; i++) {
      const event = queue.enqueueFill(x, i, { waitFor: gate });
      released.add(event);
      dropped.add(event);
      event.release();
    }
    released.release();
  };
  pending();
  queue.flush();
  expect(await collectUntil(() => collected)).toBe(true);
  gate.complete();
  await queue.finish();
  expect(observer.snapshot().count).toBe(50);
  gate.release();
  expect(handleCount()).toBeLessThanOrEqual(before);
});

test("a worker's statistics can be posted and merged, and the worker can end with pending commands", async () => {
  const source = `
    import { parentPort } from "node:worker_threads";
    import { CommandQueue, CommandStatistics, Context, DeviceBuffer } from "@cl/core";
    const context = Context.create();
    const queue = new CommandQueue(context, { profiling: true });
    const x = DeviceBuffer.empty(context, Int32Array, 1 << 16);
    const statistics = new CommandStatistics();
    for (let i = 0; i < 20; i++) statistics.add(queue.enqueueFill(x, i));
    queue.finishSync();
    parentPort.postMessage(statistics.snapshot());
    for (let i = 0; i < 500; i++) statistics.add(queue.enqueueFill(x, i));
    process.exit(0);`;
  const module = source.replace('"@cl/core"', JSON.stringify(import.meta.resolve("@cl/core")));
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(module)}`));
  expect(await once(worker, "message")).toMatchObject([{ count: 20 }]);
  expect(await once(worker, "exit")).toEqual([0]);
});

describe("on a fake driver", () => {
  const onFake = async (body: string, env: Record<string, string> = {}): Promise<unknown> => {
    const source = `
      import * as core from "@cl/core";
      const context = core.Context.create();
      const queue = new core.CommandQueue(context, { profiling: true });
      const x = core.DeviceBuffer.empty(context, Int32Array, 16);
      const statistics = new core.CommandStatistics();
      const fill = () => { const event = queue.enqueueFill(x, 1); statistics.add(event); event.release(); };
      const values = () => { const { count, failed, untimed } = statistics.snapshot(); return { count, failed, untimed }; };
      ${body}`;
    return lastResult(await runModule({ source, env: { CL_LIBRARY_PATH: await buildFakeOpenCL(), ...env } }));
  };

  test("failed commands are counted, not timed, and traced with the reason and when they were enqueued", async () => {
    const result = await onFake(`
      const trace = new core.CommandTrace().watch(statistics, "fill");
      fill(); queue.finishSync();
      process.env.FAKE_CL_EVENTS = "error:-14";
      const before = core.hostTime();
      fill();
      const after = core.hostTime();
      process.env.FAKE_CL_EVENTS = "";
      fill(); queue.finishSync();
      const failed = trace.commands()[1];
      const { queued, submit, start, end } = failed.times;
      const same = [queued, submit, start, end].every((time) => time === failed.enqueued);
      const between = before <= Number(failed.enqueued) && Number(failed.enqueued) <= after;
      const reasons = trace.commands().map((one) => one.failed ?? "");
      console.log(JSON.stringify({ reasons, same, between, ...values(), pending: statistics.pending }));`);
    const failed = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
    const counts = { count: 2, failed: 1, untimed: 0, pending: 0 };
    expect(result).toEqual({ reasons: ["", failed, ""], same: true, between: true, ...counts });
  });

  test("commands without profiling times are counted as untimed", async () => {
    const result = await onFake(`
      process.env.FAKE_CL_FAIL = "clGetEventProfilingInfo=-7";
      fill(); queue.finishSync(); values();
      fill(); queue.finishSync();
      console.log(JSON.stringify(values()));`);
    expect(result).toEqual({ count: 0, failed: 0, untimed: 2 });
  });

  test("a process with pending commands can end naturally or by exit()", { tags: "ci" }, async () => {
    for (const end of ["", "process.exit(0);"]) {
      const result = await onFake(
        `for (let i = 0; i < 600; i++) fill();
         console.log(JSON.stringify({ pending: statistics.pending }));
         ${end}`,
        { FAKE_CL_EVENTS: "manual" },
      );
      expect(result).toEqual({ pending: 600 });
    }
  });
});
