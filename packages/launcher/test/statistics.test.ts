import { Worker } from "node:worker_threads";

import { CommandQueue, DeviceBuffer, handleCount, handleCounts, quantile, UserEvent, OpenCLError } from "@cl/core";
import {
  CopyLauncher,
  ElementwiseLauncher,
  FillLauncher,
  HostLauncher,
  KernelLauncher,
  type LauncherSnapshot,
  ListLauncher,
  mergeStatistics,
  Profiler,
  statisticsRows,
} from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { lastResult, runModule } from "@cl/testing/run-module";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { collectGarbage, collectUntil, turns } from "@cl/base/testing";
import { context, floats, ints, needsUserEvents, program, queue as plain } from "./support/device.js";

const queue = new CommandQueue(context, { profiling: true, label: "in order" });
const outOfOrder = new CommandQueue(context, { profiling: true, outOfOrder: true });

const x = ints(0, 0, 0, 0);
const add = (name: string, options: { bytes?: number } = {}): KernelLauncher =>
  new KernelLauncher(name, program.kernel("add"), { args: [x, 1], global: 4, ...options });

/** Returns the values that are the same in each run. */
const counts = ({ name, kind, count, failed, bytes }: LauncherSnapshot) => ({ name, kind, count, failed, bytes });

describe("a kernel launcher", () => {
  test("counts its launches on queues with profiling, and no others", async () => {
    const launcher = add("add", { bytes: 32 });
    expect(launcher.statistics.snapshot()).toMatchObject({ name: "add", kind: "kernel", count: 0, mean: Number.NaN });
    for (let n = 0; n < 300; n++) launcher.launch(queue);
    launcher.launch(plain);
    await launcher.enqueue(outOfOrder).wait();
    await launcher.enqueue(plain).wait();
    // Overridden sizes use another code path.
    launcher.launch(queue, undefined, { global: 2 });
    await queue.finish();
    const snapshot = launcher.statistics.snapshot();
    expect(counts(snapshot)).toEqual({ name: "add", kind: "kernel", count: 302, failed: 0, bytes: 302 * 32 });
    expect(snapshot.min).toBeLessThanOrEqual(snapshot.p50);
    expect(snapshot.p50).toBeLessThanOrEqual(snapshot.p95);
    expect(snapshot.p95).toBeLessThanOrEqual(snapshot.max);
    expect(quantile(snapshot, 1)).toBe(snapshot.max);
    expect(snapshot.gbPerSecond).toBe(snapshot.bytes / snapshot.total);
    expect(launcher.statistics.snapshot()).toEqual(snapshot);
    expect(launcher.statistics.drain()).toEqual(snapshot);
    expect(launcher.statistics.drain().count).toBe(0);
  });

  test("reports pending commands, and the times of recent ones", async (run) => {
    needsUserEvents(run);
    const launcher = add("add");
    for (let n = 0; n < 3; n++) launcher.launch(queue);
    await queue.finish();
    const gate = new UserEvent(context);
    const late = launcher.enqueue(queue, undefined, { waitFor: gate });
    queue.flush();
    const { pending, recent } = launcher.events;
    expect(pending).toBe(1);
    expect(recent.map(({ name }) => name)).toEqual(["add", "add", "add"]);
    for (const { start, end } of recent) expect(end).toBeGreaterThanOrEqual(start);
    expect(launcher.statistics.drain().count).toBe(3);
    expect(launcher.events).toEqual({ pending: 1, recent: [] });
    gate.complete();
    await late.wait();
    expect(launcher.statistics.drain().count).toBe(1);
  });

  test("rejects a negative number of bytes", () => {
    expect(() => add("add", { bytes: -1 })).toThrow(outOfRange("options.bytes"));
  });
});

test("copies, fills and host functions are counted with their bytes, alone and in lists", async (run) => {
  needsUserEvents(run);
  const source = ints(1, 2, 3, 4, 5, 6, 7, 8);
  const target = ints(0, 0, 0, 0, 0, 0, 0, 0);
  const host = new Int32Array(8);
  const launchers = [
    new FillLauncher("fill", { target, pattern: 3, offset: 8 }),
    new CopyLauncher("copy", { source, target, bytes: 12 }),
    new CopyLauncher("box", { source, target, region: [8, 2, 1] }),
    new CopyLauncher("read", { source: target, target: host }),
    new CopyLauncher("write", { source: host, target }),
    new CopyLauncher("host copy", { source: new Int32Array(2), target: new Int32Array(2) }),
    new HostLauncher("step", () => turns()),
  ];
  const list = new ListLauncher("all").push(...launchers);
  for (const target of [queue, outOfOrder, plain]) await list.enqueue(target).wait();
  for (const launcher of launchers) {
    launcher.launch(queue);
    await launcher.enqueue(outOfOrder).wait();
    await launcher.enqueue(plain).wait();
  }
  await queue.finish();
  const expected: readonly [name: string, kind: string, bytes: number][] = [
    ["fill", "fill", 24],
    ["copy", "copy", 12],
    ["box", "copy", 16],
    ["read", "read", 32],
    ["write", "write", 32],
    ["host copy", "copy", 8],
    ["step", "host", 0],
  ];
  expect(launchers.map(({ statistics }) => counts(statistics.snapshot()))).toEqual(
    expected.map(([name, kind, bytes]) => ({ name, kind, count: 4, failed: 0, bytes: 4 * bytes })),
  );
  expect(list.statistics.snapshot()).toMatchObject({ name: "all", kind: "list", count: 28, failed: 0 });
});

test("a throwing host function is counted as failed", async (run) => {
  needsUserEvents(run);
  const step = new HostLauncher("step", () => Promise.reject(new Error("no")));
  await expect(step.enqueue(queue).wait()).rejects.toThrow(errorLike(OpenCLError, "ERR_CL_HOST_FUNCTION"));
  expect(step.statistics.snapshot()).toMatchObject({ count: 0, failed: 1 });
});

describe("a list", () => {
  test.each([
    ["an in-order queue", queue],
    ["an out-of-order queue", outOfOrder],
  ])("has totals and the statistics of each member once, including nested lists, on %s", async (_, target) => {
    const [one, two, three] = [add("one"), add("two"), add("three")] as const;
    const inner = new ListLauncher("inner").push(two, one);
    const outer = new ListLauncher("outer").push(one, inner, one, three);
    for (let n = 0; n < 100; n++) outer.launch(target);
    three.launch(target);
    await target.finish();
    const snapshot = outer.statistics.snapshot();
    expect(counts(snapshot)).toMatchObject({ name: "outer", kind: "list", count: 501 });
    expect(snapshot.members?.map(({ name, count }) => [name, count])).toEqual([
      ["one", 300],
      ["inner", 400],
      ["three", 101],
    ]);
    expect(snapshot.total).toBe(
      [one, two, three].reduce((sum, { statistics }) => sum + statistics.snapshot().total, 0),
    );
    expect(statisticsRows(snapshot).map(({ name, launcher, count }) => [name, launcher, count])).toEqual([
      ["one", "outer > one", 300],
      ["two", "outer > inner > two", 100],
      ["one", "outer > inner > one", 300],
      ["three", "outer > three", 101],
    ]);
    expect(outer.events).toMatchObject({ pending: 0, recent: { length: 96 } });
    expect(outer.statistics.drain()).toEqual(snapshot);
    expect(outer.statistics.drain().count).toBe(0);
    expect(two.statistics.snapshot().count).toBe(0);
  });

  test("without members has empty statistics", () => {
    const empty = new ListLauncher("empty").statistics.snapshot();
    expect(empty).toMatchObject({ name: "empty", kind: "list", count: 0, total: 0, members: [] });
    expect(statisticsRows(empty)).toEqual([]);
    expect(new ListLauncher("empty").events).toEqual({ pending: 0, recent: [] });
  });
});

describe("merged statistics", () => {
  const measured = async (...launchers: KernelLauncher[]): Promise<LauncherSnapshot[]> => {
    for (const [i, launcher] of launchers.entries()) for (let n = 0; n <= i; n++) launcher.launch(queue);
    await queue.finish();
    return launchers.map(({ statistics }) => statistics.snapshot());
  };

  test("are a single entry for one name, and a list for several", async () => {
    const [a, b, secondA] = (await measured(add("a"), add("b"), add("a"))) as [
      LauncherSnapshot,
      LauncherSnapshot,
      LauncherSnapshot,
    ];
    const same = mergeStatistics(a, secondA);
    expect(same).toMatchObject({ name: "a", kind: "kernel", count: 4, total: a.total + secondA.total });
    expect(same).not.toHaveProperty("members");
    const all = mergeStatistics(a, b, secondA);
    expect(all).toMatchObject({ name: "", kind: "list", count: 6 });
    expect(all.members).toEqual([same, b]);
    expect(mergeStatistics(a)).toEqual(a);
    expect(mergeStatistics()).toMatchObject({ name: "", kind: "list", count: 0, members: [] });
    // Except for rounding, grouping and conversion to JSON have no effect.
    const { std: _, members: __, ...exact } = all;
    expect(mergeStatistics(mergeStatistics(a, b), secondA)).toMatchObject(exact);
    expect(mergeStatistics(a, mergeStatistics(b, secondA))).toMatchObject(exact);
    expect(mergeStatistics(mergeStatistics(), all)).toMatchObject(exact);
    expect(mergeStatistics(JSON.parse(JSON.stringify(all)) as LauncherSnapshot)).toMatchObject(exact);
  });

  test("of lists are merged member by member", async () => {
    const lists = [add("a"), add("b")].map((launcher) => new ListLauncher("step").push(launcher, add("both")));
    for (const list of lists) for (let n = 0; n < 5; n++) list.launch(queue);
    await queue.finish();
    const merged = mergeStatistics(...lists.map(({ statistics }) => statistics.snapshot()));
    expect(merged).toMatchObject({ name: "step", kind: "list", count: 20 });
    expect(merged.members?.map(({ name, count }) => [name, count])).toEqual([
      ["a", 5],
      ["both", 10],
      ["b", 5],
    ]);
  });

  test("reject invalid snapshots", () => {
    expect(() => mergeStatistics(undefined as never)).toThrow(wrongType("snapshots[0]"));
    expect(() => mergeStatistics({} as never)).toThrow(wrongType("snapshots[0].name"));
  });
});

test("statistics of two queues and a worker can be merged", async () => {
  const other = new CommandQueue(context, { profiling: true });
  const launcher = new FillLauncher("clear", { target: DeviceBuffer.empty(context, Int32Array, 16), pattern: 0 });
  for (let n = 0; n < 10; n++) launcher.launch(n % 2 === 0 ? queue : other);
  const [core, own] = ["@cl/core", "@cl/launcher"].map((name) => JSON.stringify(import.meta.resolve(name)));
  const source = `
    import { parentPort } from "node:worker_threads";
    import { CommandQueue, Context, DeviceBuffer } from ${core};
    import { FillLauncher, ListLauncher } from ${own};
    const context = Context.create();
    const queue = new CommandQueue(context, { profiling: true });
    const clear = new FillLauncher("clear", { target: DeviceBuffer.empty(context, Int32Array, 16), pattern: 0 });
    const list = new ListLauncher("list").push(clear, clear);
    for (let n = 0; n < 10; n++) list.launch(queue);
    queue.finishSync();
    parentPort.postMessage(clear.statistics.snapshot());`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  const snapshot = await new Promise<LauncherSnapshot>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  await Promise.all([queue.finish(), other.finish()]);
  const merged = mergeStatistics(launcher.statistics.snapshot(), snapshot);
  expect(counts(merged)).toEqual({ name: "clear", kind: "fill", count: 30, failed: 0, bytes: 30 * 64 });
});

test("launchers that are collected while commands are pending do not leak, and their profiler counts all", async (run) => {
  needsUserEvents(run);
  await collectGarbage();
  const before = { all: handleCount(), statistics: handleCounts()["statistics"] ?? 0 };
  const profiler = new Profiler();
  const gate = new UserEvent(context);
  let collected = 0;
  const registry = new FinalizationRegistry(() => collected++);
  const drop = (): void => {
    for (let n = 0; n < 10; n++) {
      const launcher = add("dropped");
      const list = new ListLauncher("list", { profiler }).push(
        launcher,
        new FillLauncher("clear", { target: x, pattern: 0 }),
      );
      list.enqueue(queue, undefined, { waitFor: gate }).release();
      if (n % 2 === 0) {
        list.release();
        launcher.release();
      }
      registry.register(list, n);
    }
    queue.flush();
  };
  drop();
  expect(await collectUntil(() => collected === 10)).toBe(true);
  expect(profiler.snapshot().count).toBe(0);
  gate.complete();
  await queue.finish();
  expect(profiler.drain().count).toBe(20);
  gate.release();
  expect(await collectUntil(() => handleCount() <= before.all)).toBe(true);
  // The statistics of the launchers are collected; the profiler keeps two.
  expect(await collectUntil(() => (handleCounts()["statistics"] ?? 0) <= before.statistics + 2)).toBe(true);
});

test("a fused kernel is counted as one kernel, in the list and in its profiler", async () => {
  const u = floats(1, 2, 3, 4);
  const [grow, halve] = ["grow", "halve"].map((name) =>
    ElementwiseLauncher.createSync(name, context, { signature: "float *u", body: "u[i] *= 0.5f;", args: [u] }),
  ) as [ElementwiseLauncher, ElementwiseLauncher];
  const profiler = new Profiler();
  const list = new ListLauncher("step", { profiler }).push(grow, halve);
  list.launch(queue);
  await list.fuse();
  for (let n = 0; n < 5; n++) list.launch(queue);
  await queue.finish();
  const names = (members: readonly LauncherSnapshot[] = []): unknown => members.map(({ name, count }) => [name, count]);
  const expected = [
    ["grow", 1],
    ["halve", 1],
    ["grow + halve", 5],
  ];
  expect(names(list.statistics.snapshot().members)).toEqual(expected);
  expect(names(profiler.snapshot().members?.[0]?.members)).toEqual(expected);
});

test("host launchers can be created and queried without OpenCL", { tags: "ci" }, async () => {
  const source = `
    import { HostLauncher, ListLauncher } from ${JSON.stringify(import.meta.resolve("@cl/launcher"))};
    const list = new ListLauncher("list").push(new HostLauncher("step", () => undefined));
    const { count, members } = list.statistics.snapshot();
    console.log(JSON.stringify({ count, members: members.length, events: list.events }));`;
  const env = { CL_LIBRARY_PATH: "/nowhere/libOpenCL.so" };
  expect(lastResult(await runModule({ source, env }))).toEqual({
    count: 0,
    members: 1,
    events: { pending: 0, recent: [] },
  });
});
