import { expect, test } from "vitest";
import { CommandQueue, DeviceBuffer, LaunchList, UserEvent } from "@cl/core";

import { context, kernelOf } from "./support/kernels.js";
import { needs } from "@cl/base/testing";
import { overtakes } from "./support/overtaking.js";

const set = kernelOf("__kernel void set(__global int *x, int to) { x[0] = to; }");
const times = kernelOf("__kernel void times(__global int *x, int by) { x[0] *= by; }");
const add = kernelOf("__kernel void add(__global int *x, int what) { x[0] += what; }");
const mix = kernelOf("__kernel void mix(__global int *x, int a) { size_t i = get_global_id(0); x[i] = 3 * x[i] + a; }");
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

test("a diamond of launches runs in the order of its events", async () => {
  for (let round = 0; round < 50; round++) {
    const x = number();
    const y = number();
    const first = set.enqueue(queue, singleItem, x, 2);
    const left = times.enqueue(queue, { ...singleItem, waitFor: first }, x, 3);
    const right = set.enqueue(queue, { ...singleItem, waitFor: first }, y, 7);
    const copied = queue.enqueueCopy(y, x, { waitFor: [left, right] });
    await add.enqueue(queue, { ...singleItem, waitFor: copied }, y, 1).wait();
    expect([...queue.readSync(y)]).toEqual([7]);
  }
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

test("bound kernels wait for events, too", async () => {
  const x = number();
  const gate = new UserEvent(context);
  const held = set.bind(singleItem, x, 4).enqueue(queue, { waitFor: gate });
  const after = times.bind(singleItem, x, 4).enqueue(queue, { waitFor: [held] });
  queue.flush();
  expect(after.status).toBeGreaterThan(0);
  gate.complete();
  await after.wait();
  expect([...queue.readSync(x)]).toEqual([16]);
});

test("launchAndFinishSync returns when all commands on the queue have finished", () => {
  const x = number();
  const events = Array.from({ length: 20 }, (_, i) => set.enqueue(queue, singleItem, x, i));
  set.launchAndFinishSync(queue, singleItem, x, 99);
  expect(events.every((event) => event.status === 0)).toBe(true);
});
