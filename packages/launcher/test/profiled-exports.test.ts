import { CommandQueue } from "@cl/core";
import { HostLauncher, KernelLauncher, ListLauncher, Profiler } from "@cl/launcher";
import { checkTrace, type Trace, traceStatistics } from "@cl/trace";
import { beforeAll, describe, expect, test } from "vitest";

import { context, ints, program } from "./support/device.js";

const steps = 12;

describe("a recorded trace", () => {
  const profiler = new Profiler();
  let trace: Trace;

  beforeAll(async () => {
    const [x, y] = [ints(1, 2, 3, 4), ints(0, 0, 0, 0)];
    const inner = new ListLauncher("inner")
      .push(new KernelLauncher("mixing", program.kernel("mixing"), { args: [x, y, 1], global: 4 }))
      .pushCopyDeviceToHost("probe", y, new Int32Array(4));
    const step = new ListLauncher("timestep", { profiler })
      .push(new KernelLauncher("add", program.kernel("add"), { args: [x], parameters: ["a"], global: 4 }))
      .push(inner)
      .push(new HostLauncher("note", () => undefined));
    for (const outOfOrder of [false, true]) {
      const queue = new CommandQueue(context, { profiling: true, outOfOrder, label: outOfOrder ? "loose" : "strict" });
      for (let i = 0; i < steps; i++) step.launch(queue, { a: i });
      await queue.finish();
      profiler.recordMemory("pool", 1024);
    }
    trace = profiler.trace();
  });

  test("is valid, and has the launcher path of each command", () => {
    expect(checkTrace(trace)).toBe(trace);
    const names = new Set(trace.commands.map(({ launcher }) => launcher));
    expect(names).toEqual(new Set(["timestep > add", "timestep > inner > mixing", "timestep > inner > probe"]));
    expect(trace.queues.map(({ label, outOfOrder }) => [label, outOfOrder])).toEqual([
      ["strict", false],
      ["loose", true],
    ]);
  });

  test("has the dependencies of commands on out-of-order queues", () => {
    for (const { queue, name, waitsFor } of trace.commands) {
      const others = (waitsFor ?? []).map((place) => trace.commands[place]);
      // Copies to the host are enqueued separately; the first command waits for the previous launch.
      const expected = trace.queues[queue - (trace.queues[0]?.id ?? 0)]?.label === "loose" && name === "mixing";
      expect([name, others.map((other) => other?.name)]).toEqual([name, expected ? ["add"] : []]);
    }
  });

  test("has the same statistics as the profiler", () => {
    const counted = profiler.rows().filter(({ kind }) => kind !== "host");
    const summed = traceStatistics(trace);
    for (const { launcher, count, total } of counted) {
      const row = summed.find((one) => one.launcher === launcher);
      expect([launcher, row?.count]).toEqual([launcher, count]);
      expect(row?.total).toBeCloseTo(total, -1);
    }
    expect(counted).toHaveLength(summed.length);
  });
});
