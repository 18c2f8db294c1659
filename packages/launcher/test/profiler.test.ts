import { readFile } from "node:fs/promises";
import path from "node:path";

import { OpenCLError, CommandQueue, hostTime } from "@cl/core";
import {
  CopyLauncher,
  FillLauncher,
  HostLauncher,
  KernelLauncher,
  ListLauncher,
  Profiler,
  type ProfilerOptions,
  type Tracer,
} from "@cl/launcher";
import { useFolder } from "./support/cache-folder.js";
import { checkTrace } from "@cl/trace";
import { describe, expect, test } from "vitest";

import { needs, turns } from "@cl/base/testing";
import { errorLike, outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { context, ints, needsUserEvents, program, queue as plain } from "./support/device.js";

const queue = new CommandQueue(context, { profiling: true, label: "main" });
const outOfOrder = new CommandQueue(context, { profiling: true, outOfOrder: true });

const x = ints(0, 0, 0, 0);
const y = ints(0, 0, 0, 0);
const add = (name: string, options: { profiler?: Profiler; tracer?: Tracer; bytes?: number } = {}): KernelLauncher =>
  new KernelLauncher(name, program.kernel("add"), { args: [x, 1], global: 4, ...options });

describe("a profiler", () => {
  test("counts its launchers and the members of its lists, and no others", async () => {
    const profiler = new Profiler();
    const alone = add("alone", { profiler });
    const other = add("other");
    const inner = new ListLauncher("inner").push(add("deep"));
    const step = new ListLauncher("step", { profiler }).push(add("first"), inner);
    // Members pushed later, also to a nested list.
    inner.push(new FillLauncher("clear", { target: y, pattern: 0 }));
    step.push(add("last"));
    for (let n = 0; n < 10; n++) step.launch(n % 2 === 0 ? queue : outOfOrder);
    alone.launch(queue);
    other.launch(queue);
    alone.launch(plain);
    await Promise.all([queue.finish(), outOfOrder.finish()]);
    const snapshot = profiler.snapshot();
    expect(snapshot).toMatchObject({ name: "", kind: "list", count: 41 });
    expect(profiler.rows().map(({ name, kind, launcher, count }) => [launcher ?? name, kind, count])).toEqual([
      ["alone", "kernel", 1],
      ["step > first", "kernel", 10],
      ["step > inner > deep", "kernel", 10],
      ["step > inner > clear", "fill", 10],
      ["step > last", "kernel", 10],
    ]);
    const table = profiler.table();
    for (const word of ["count", "share", "mean", "p95", "step > inner > clear"]) expect(table).toContain(word);
    expect(table).not.toContain("other");
    expect(JSON.parse(JSON.stringify(snapshot))).toMatchObject({ name: "", kind: "list", count: 41 });
  });

  test("is drained independently of its launchers and other profilers", async () => {
    const [one, two] = [new Profiler(), new Profiler({ trace: false })];
    const launcher = add("add", { profiler: one });
    const list = new ListLauncher("list", { profiler: two }).push(launcher, launcher);
    list.launch(queue);
    launcher.launch(queue);
    await queue.finish();
    expect([one.snapshot().count, two.snapshot().count, launcher.statistics.snapshot().count]).toEqual([3, 3, 3]);
    expect(one.drain().count).toBe(3);
    expect(launcher.statistics.drain().count).toBe(3);
    list.launch(queue);
    await queue.finish();
    expect([one.drain().count, two.drain().count, launcher.statistics.drain().count]).toEqual([2, 5, 2]);
    expect([one.drain().count, two.drain().count]).toEqual([0, 0]);
  });

  test("merges launchers of the same name and kind, including released ones", async () => {
    const profiler = new Profiler();
    for (let n = 0; n < 5; n++) {
      using launcher = add("add", { profiler, bytes: 10 });
      launcher.launch(queue);
    }
    await queue.finish();
    expect(profiler.rows()).toMatchObject([{ name: "add", count: 5, bytes: 50 }]);
  });

  test("counts launchers that pass its filter, and commands passed to add()", async () => {
    const profiler = new Profiler({ filter: ["dif", /^a.*t$/] });
    expect(["diffuse", "advect", "advection"].map((name) => profiler.shouldProfile(name))).toEqual([true, true, false]);
    const launchers = ["diffuse", "advect", "advection"].map((name) => add(name, { profiler }));
    for (const launcher of launchers) launcher.launch(queue);
    profiler.add("diffuse", queue.enqueueFill(x, 0)).add("another", queue.enqueueFill(x, 0));
    await queue.finish();
    const rows = profiler.rows().map(({ name, kind, count }) => [name, kind, count]);
    expect(rows).toEqual([
      ["diffuse", "kernel", 1],
      ["advect", "kernel", 1],
      ["diffuse", "fill", 1],
    ]);
    expect(() => profiler.add("diffuse", plain.enqueueMarker())).toThrow(
      errorLike(OpenCLError, "CL_PROFILING_INFO_NOT_AVAILABLE"),
    );
  });

  test("rejects invalid options", () => {
    const made = (options: unknown) => () => new Profiler(options as ProfilerOptions);
    expect(made({ trace: 7 })).toThrow(wrongType("options.trace"));
    expect(made({ trace: { capacity: 0 } })).toThrow(outOfRange("options.trace.capacity"));
    expect(made({ filter: 7 })).toThrow(wrongType("options.filter"));
    expect(() => add("add", { profiler: 7 as never })).toThrow(wrongType("options.profiler"));
    expect(() => add("add", { tracer: 7 as never })).toThrow(wrongType("options.tracer"));
  });
});

describe("a profiler's trace", () => {
  const folder = useFolder();

  test("has the latest commands with queues, sizes and bytes, on the host's clock", async (run) => {
    const profiler = new Profiler({ trace: { capacity: 1000, filter: (name) => name !== "hidden" } });
    const step = new ListLauncher("step", { profiler }).push(
      add("add", { bytes: 32 }),
      new CopyLauncher("copy", { source: x, target: y }),
      add("hidden"),
    );
    const before = hostTime();
    for (let n = 0; n < 20; n++) step.launch(queue);
    for (let n = 0; n < 5; n++) step.launch(outOfOrder);
    await Promise.all([queue.finish(), outOfOrder.finish()]);
    profiler.recordMemory("pool", 4096);
    const trace = checkTrace(profiler.trace());
    expect(trace.commands).toHaveLength(50);
    expect(trace.queues.map(({ label, device, outOfOrder: reorders }) => [label, device, reorders])).toEqual([
      ["main", queue.device.name, false],
      [expect.stringMatching(/^queue \d+$/), queue.device.name, true],
    ]);
    const first = { name: "add", kind: "kernel", launcher: "step > add", global: [4], bytes: 32 };
    expect(trace.commands[0]).toMatchObject(first);
    expect(trace.commands[1]).toMatchObject({ name: "copy", kind: "copy", launcher: "step > copy", bytes: 16 });
    expect(trace.memory).toMatchObject([{ label: "pool", bytes: 4096 }]);
    expect(trace.dropped).toBe(0);
    // The clocks are aligned: all commands were enqueued between the first and the last call.
    const took = hostTime() - before;
    const main = trace.commands.filter(({ queue: id }) => id === trace.queues[0]?.id);
    expect(Math.min(...trace.commands.map(({ queued }) => queued))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...trace.commands.map(({ queued }) => queued))).toBeLessThanOrEqual(took);
    for (const [i, { started }] of main.entries()) {
      if (i > 0) expect(started).toBeGreaterThanOrEqual((main[i - 1]?.ended ?? 0) - 1000);
    }
    needs(run, process.platform === "linux", "only on Linux, the clock is known to be that of process.hrtime");
    expect(Math.abs(trace.origin - before)).toBeLessThan(took);
  });

  test("has host functions as spans between the commands around them", async (run) => {
    needsUserEvents(run);
    const profiler = new Profiler();
    const pause = new HostLauncher("pause", () => turns());
    const step = new ListLauncher("step", { profiler }).push(add("before"), pause, add("after"));
    for (let n = 0; n < 3; n++) await step.enqueue(queue).wait();
    const { commands, hostSpans } = profiler.trace();
    expect(hostSpans.map(({ name }) => name)).toEqual(Array(3).fill("step > pause"));
    for (const [i, { started, ended }] of hostSpans.entries()) {
      const [first, second] = [commands[2 * i], commands[2 * i + 1]];
      expect(first?.name).toBe("before");
      // Within a millisecond: the clocks are aligned by the fastest of a few calls.
      expect(first?.ended).toBeLessThan(started + 1e6);
      // Not its start, which NVIDIA's driver records while the command still waits for the function.
      expect(second?.ended).toBeGreaterThan(ended - 1e6);
    }
  });

  test("keeps commands up to its capacity, counts dropped ones, and is reset by draining", async () => {
    const profiler = new Profiler({ trace: { capacity: 10 } });
    const launcher = add("add", { profiler });
    for (let n = 0; n < 100; n++) launcher.launch(queue);
    for (let n = 0; n < 25; n++) profiler.recordMemory("pool", n);
    await queue.finish();
    const trace = profiler.trace({ drain: true });
    expect(trace.commands).toHaveLength(10);
    expect(trace.memory.at(-1)?.bytes).toBe(24);
    expect(trace.dropped).toBe(90);
    expect(profiler.trace()).toMatchObject({ commands: [], memory: [], dropped: 0 });
    expect(profiler.snapshot().count).toBe(100);
    const none = new Profiler({ trace: false });
    expect(none.traces).toBe(false);
    expect(() => none.trace()).toThrow(wrongState());
  });

  test("can be written to files, as can reports, which count commands that were dropped", async () => {
    for (const trace of [{ capacity: 10 }, false] as const) {
      const profiler = new Profiler({ trace });
      const advect = add("advect", { profiler });
      for (let n = 0; n < 25; n++) advect.launch(queue);
      await queue.finish();
      for (const name of ["report.html", "report.csv", ...(profiler.traces ? ["trace.json", "trace.csv"] : [])]) {
        const file = path.join(folder(), name);
        if (name.startsWith("trace")) await profiler.writeTrace(file);
        else await profiler.writeReport(file, name.endsWith("html") ? { title: "A run" } : {});
        const text = await readFile(file, "utf8");
        // toContain would print the whole page.
        expect(text.includes("advect")).toBe(true);
        if (name === "report.html") expect(/<h1>A run<[^]*"count":25/.test(text)).toBe(true);
        if (name === "report.csv") expect(text).toMatch(/advect[^\n]*,25,/);
      }
      await expect(profiler.writeReport("a.html", 7 as never)).rejects.toThrow(wrongType("options"));
    }
  });

  test("without commands has a table that says how to record them", () => {
    const profiler = new Profiler();
    add("add", { profiler }).launch(plain);
    expect(profiler.table()).toMatch(/^name.*\nadd .*\nNo commands were recorded.*profiling: true/);
  });
});
