import { expect, test } from "vitest";
import { CommandQueue, DeviceBuffer, type Kernel, LaunchList, Program, UserEvent } from "@cl/core";

import { context } from "./support/kernels.js";
import { needs } from "@cl/base/testing";
import { overtakes } from "./support/overtaking.js";

const program: Program = new Program(
  context,
  `__kernel void set(__global int *x, int to) { x[0] = to; }
   __kernel void times(__global int *x, int by) { x[0] *= by; }
   __kernel void add(__global int *x, int what) { x[0] += what; }
   __kernel void mix(__global int *x, int a) { size_t i = get_global_id(0); x[i] = 3 * x[i] + a; }`,
).buildSync();
const [set, times, add, mix] = ["set", "times", "add", "mix"].map((name) => program.kernel(name)) as [
  Kernel,
  Kernel,
  Kernel,
  Kernel,
];
const queue = new CommandQueue(context, { outOfOrder: true });
const other = new CommandQueue(context);
const singleItem = { global: 1 };
const number = (): DeviceBuffer<Int32Array> => DeviceBuffer.from(context, Int32Array.of(1));

test("launches on an out-of-order queue wait only for the events in their wait lists", async (run) => {
  needs(run, await overtakes(queue), `'${queue.device.name}' runs out-of-order queues in order`);
  const x = number();
  const y = number();
  const gate = new UserEvent(context);
  const held = set.enqueue(queue, { ...singleItem, waitFor: gate }, x, 5);
  const after = times.enqueue(queue, { ...singleItem, waitFor: held }, x, 10);
  await set.enqueue(queue, singleItem, y, 2).wait();
  expect(held.status).toBeGreaterThan(0);
  expect(after.status).toBeGreaterThan(0);
  gate.complete();
  await after.wait();
  expect([...queue.readSync(x), ...queue.readSync(y)]).toEqual([50, 2]);
});

test("a barrier in a launch list orders its commands", async () => {
  const x = number();
  const list = new LaunchList(context)
    .push(set.bind(singleItem, x, 2))
    .pushBarrier()
    .push(times.bind(singleItem, x, 10))
    .pushBarrier()
    .push(add.bind(singleItem, x, 1))
    .pushBarrier();
  for (let round = 0; round < 100; round++) list.launch(queue);
  await queue.finish();
  expect([...queue.readSync(x)]).toEqual([21]);
});

test("a barrier in a list with `waitForPrevious` orders the list's commands", async () => {
  for (let round = 0; round < 20; round++) {
    const x = number();
    const gate = new UserEvent(context);
    const held = new LaunchList(context, { waitForPrevious: true })
      .push(set.bind(singleItem, x, 2))
      .pushBarrier()
      .push(times.bind(singleItem, x, 10));
    held.enqueue(queue, { waitFor: gate });
    await set.enqueue(other, singleItem, number(), 2).wait();
    gate.complete();
    await queue.finish();
    expect([...queue.readSync(x)]).toEqual([20]);
  }
  const n = 1 << 16;
  const y = DeviceBuffer.from(context, new Int32Array(n));
  const list = new LaunchList(context, { waitForPrevious: true });
  for (let i = 0; i < 100; i++) list.push(mix.bind({ global: n }, y, i)).pushBarrier();
  list.launch(queue);
  await queue.finish();
  let expected = 0;
  for (let i = 0; i < 100; i++) expected = (Math.imul(3, expected) + i) | 0;
  expect(new Set(queue.readSync(y))).toEqual(new Set([expected]));
});

test("a barrier with a wait list does not release commands that earlier barriers delay", async () => {
  const done = new UserEvent(context);
  done.complete();
  const empty = new LaunchList(context);
  const barriers: readonly (() => unknown)[] = [
    () => queue.enqueueBarrier(done),
    () => queue.enqueueWaitForEvents(done),
    () => empty.enqueue(queue, { waitFor: done }),
  ];
  for (const barrier of barriers) {
    const x = number();
    const gate = new UserEvent(context);
    set.enqueue(queue, { ...singleItem, waitFor: gate }, x, 5);
    queue.enqueueBarrier();
    barrier();
    times.enqueue(queue, singleItem, x, 10);
    queue.flush();
    await set.enqueue(other, singleItem, number(), 2).wait();
    gate.complete();
    await queue.finish();
    expect([...queue.readSync(x)]).toEqual([50]);
  }
});
