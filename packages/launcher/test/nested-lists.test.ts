/** Nested lists, some also launched separately: each launch uses its own values and is counted once. */
import { CommandQueue, handleCounts } from "@cl/core";
import { FillLauncher, IterativeLauncher, KernelLauncher, ListLauncher, Profiler } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { collectGarbage } from "@cl/base/testing";
import { context, ints, outOfOrder, program, queue, read } from "./support/device.js";
import { adding } from "./support/launchers.js";
import { wrongState } from "@cl/testing/error-like";

const profiledQueue = (outOfOrder = false): CommandQueue => new CommandQueue(context, { profiling: true, outOfOrder });

describe("a nested list that was launched separately before", () => {
  test("uses the outer list's values after a push, and from a table", async () => {
    const x = ints(0);
    const inner = new ListLauncher("inner").push(adding(x));
    for (let i = 0; i < 2; i++) inner.launch(queue, { a: 1 });
    const outer = new ListLauncher("outer").push(new ListLauncher("middle").push(inner));
    for (let i = 0; i < 2; i++) outer.launch(queue, { a: 10 });
    outer.push(adding(x, "another"));
    outer.launch(queue, { a: 100 });
    expect(await read(x)).toEqual([222]);
    outer.push(new FillLauncher("elsewhere", { target: ints(0), pattern: 0 }));
    const table = outer.parameterTable();
    table.values[0] = 1000;
    table.launch(queue);
    expect(await read(x)).toEqual([2222]);
  });
});

test("a profiler of both lists and their members counts each command once", async () => {
  const x = ints(0);
  const profiled = profiledQueue();
  const profiler = new Profiler();
  const kernel = new KernelLauncher("add", program.kernel("add"), { args: [x, 1], global: 1, profiler });
  const inner = new ListLauncher("inner", { profiler }).push(kernel);
  const twice = new ListLauncher("twice", { profiler }).push(inner, inner);
  const thrice = new ListLauncher("thrice", { profiler }).push(twice, inner);
  for (let i = 0; i < 10; i++) {
    twice.launch(profiled);
    thrice.launch(profiled);
  }
  await profiled.finish();
  expect(thrice.statistics.snapshot().count).toBe(50);
  expect(profiler.snapshot().count).toBe(50);
  expect(await read(x)).toEqual([50]);
});

test("launches do not leak handles on any kind of queue", async () => {
  const [x, y] = [ints(0), ints(0)];
  const inner = new ListLauncher("inner", { order: "graph" }).push(adding(x), adding(y));
  const varying = new KernelLauncher("varying", program.kernel("add"), { args: [y, 1], global: () => 1 });
  const fill = new FillLauncher("fill", { target: y, pattern: 0 });
  const list = new ListLauncher("outer", { order: "graph", profiler: new Profiler() }).push(
    inner,
    fill,
    varying,
    inner,
  );
  const launches = async (target: CommandQueue, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      list.launch(target, { a: i });
      list.enqueue(target, { a: i }).release();
      if (i % 10 === 0) await target.finish();
    }
    await target.finish();
  };
  for (const target of [queue, outOfOrder, profiledQueue(), profiledQueue(true)]) {
    await launches(target, 2);
    // Collecting the garbage of earlier tests later would change the counts.
    await collectGarbage();
    const before = handleCounts();
    await launches(target, 100);
    expect(handleCounts()).toEqual(before);
  }
});

test("a list cannot be launched from a callback during its launch", async () => {
  const x = ints(0);
  const list: ListLauncher<{ readonly a: number }> = new ListLauncher("step");
  const again = new IterativeLauncher("sweep", program.kernel("add"), {
    args: [x],
    parameters: { i: "a" },
    iterate: {
      *i() {
        yield 1;
        list.launch(queue, { a: 1000 });
      },
    },
    global: 1,
  });
  list.push(adding(x, "add"), again);
  expect(() => list.launch(queue, { a: 10 })).toThrow(wrongState());
  // The list can still be released.
  list.release();
  await queue.finish();
  expect((await read(x))[0]).toBeLessThan(1000);
});
