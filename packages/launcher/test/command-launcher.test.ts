/** Launchers that enqueue what a function makes. */
import { CommandQueue } from "@cl/core";
import { CommandLauncher, type CommandLauncherOptions, FillLauncher, ListLauncher, Profiler } from "@cl/launcher";
import { expect, test, vi } from "vitest";

import { context, ints, queue } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

test("its commands run in the order of the list", async () => {
  const [x, y] = [ints(1, 2), ints(0, 0)];
  const copy = new CommandLauncher("copy", {
    enqueue: (target, waitFor) => target.enqueueCopy(y, x, { waitFor }),
    reads: [x],
    writes: [y],
  });
  const list = new ListLauncher("step").push(
    new FillLauncher("before", { target: x, pattern: Int32Array.of(5) }),
    copy,
    new FillLauncher("after", { target: x, pattern: Int32Array.of(7) }),
  );
  list.launch(queue);
  expect([...(await queue.read(y, Int32Array))]).toEqual([5, 5]);
  expect([...(await queue.read(x, Int32Array))]).toEqual([7, 7]);
  const outOfOrder = new CommandQueue(context, { outOfOrder: true });
  await list.enqueue(outOfOrder).wait();
  expect([...(await queue.read(y, Int32Array))]).toEqual([5, 5]);
});

test("a launch without an event calls `launch`, with one `enqueue`, and a profiled one records it", async () => {
  const x = ints(1);
  const enqueue = vi.fn<CommandLauncherOptions["enqueue"]>((target) => target.enqueueFill(x, Int32Array.of(2)));
  const launch = vi.fn<(target: CommandQueue) => void>((target) => target.enqueueFill(x, Int32Array.of(3)).release());
  const release = vi.fn<() => void>();
  const launcher = new CommandLauncher("fill", { enqueue, launch, release });
  launcher.launch(queue);
  expect([enqueue.mock.calls.length, launch.mock.calls.length]).toEqual([0, 1]);
  await launcher.enqueue(queue).wait();
  expect([enqueue.mock.calls.length, launch.mock.calls.length]).toEqual([1, 1]);
  const profiled = new CommandQueue(context, { profiling: true });
  launcher.launch(profiled);
  await profiled.finish();
  expect([enqueue.mock.calls.length, launch.mock.calls.length]).toEqual([2, 1]);
  expect(launcher.statistics.snapshot().count).toBe(1);
  launcher.release();
  expect(release).toHaveBeenCalledOnce();
});

test("a profiled launch records what `enqueueProfiled` does, under its kind", async () => {
  const x = ints(1, 2);
  const enqueueProfiled = vi.fn<NonNullable<CommandLauncherOptions["enqueueProfiled"]>>(
    (target, waitFor, statistics) => {
      for (const pattern of [3, 4]) statistics.add(target.enqueueFill(x, Int32Array.of(pattern), { waitFor }));
      return target.enqueueMarker();
    },
  );
  const enqueue = vi.fn<CommandLauncherOptions["enqueue"]>((target) => target.enqueueFill(x, Int32Array.of(2)));
  const profiler = new Profiler();
  const launcher = new CommandLauncher("waits", { enqueue, enqueueProfiled, kind: "wait", profiler });
  const profiled = new CommandQueue(context, { profiling: true });
  new ListLauncher("step").push(launcher).launch(profiled);
  launcher.enqueue(profiled).release();
  launcher.launch(queue);
  await Promise.all([profiled.finish(), queue.finish()]);
  expect([enqueue.mock.calls.length, enqueueProfiled.mock.calls.length]).toEqual([1, 2]);
  const { kind, count } = launcher.statistics.snapshot();
  expect([kind, count]).toEqual(["wait", 4]);
  expect(profiler.trace().commands.map((command) => command.kind)).toEqual(Array(4).fill("wait"));
});

test("errors name the launcher, and wrong options the option", () => {
  const failing = new CommandLauncher("broken", {
    enqueue: () => {
      throw new Error("the reason");
    },
  });
  expect(() => failing.enqueue(queue)).toThrow('"broken"');
  const enqueue = (): never => {
    throw new Error("not called");
  };
  const wrong: readonly [object, Error][] = [
    [{ enqueue: undefined }, wrongType("options.enqueue")],
    [{ launch: 1 }, wrongType("options.launch")],
    [{ enqueueProfiled: 1 }, wrongType("options.enqueueProfiled")],
    [{ kind: "idle" }, outOfRange("options.kind")],
    [{ reads: [1] }, wrongType("options.reads[0]")],
    [{ waits: 1 }, outOfRange("options")],
  ];
  for (const [options, error] of wrong) {
    expect(() => new CommandLauncher("x", { enqueue, ...options })).toThrow(error);
  }
});
