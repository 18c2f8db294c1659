/** Released objects are rejected by all calls that reach the driver; objects that use them stay alive. */
import { expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DisposedError,
  handleCount,
  LaunchList,
  LocalMemory,
  Program,
  UserEvent,
} from "@cl/core";

import { collectUntil } from "@cl/base/testing";

const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(
  context,
  `__kernel void set(__global int *x, int value) { x[get_global_id(0)] = value; }
   __kernel void part(__global int *x, __local int *shared) { shared[0] = 1; x[0] = shared[0]; }`,
).build();

test("each launch rejects a released argument, and names it", () => {
  const kernel = program.kernel("set");
  const x = DeviceBuffer.empty(context, Int32Array, 4);
  kernel.setArgs(x, 1);
  const bound = kernel.bind({ global: 4 }, x, 1);
  const list = new LaunchList(context).push(bound);
  kernel.launch(queue, { global: 4 }, x, 1);
  x.release();
  expect(() => kernel.launch(queue, { global: 4 }, x, 1)).toThrow(DisposedError);
  expect(() => kernel.launchWithSetArgs(queue, { global: 4 })).toThrow(/argument 0/);
  expect(() => bound.launch(queue)).toThrow(/argument 0/);
  expect(() => bound.enqueue(queue)).toThrow(/argument 0/);
  expect(() => list.launch(queue)).toThrow(/command 0/);
  expect(() => list.enqueue(queue)).toThrow(/command 0/);
});

test("a bound kernel with a released argument works again with another one", async () => {
  const x = DeviceBuffer.empty(context, Int32Array, 4);
  const y = DeviceBuffer.from(context, new Int32Array(4));
  const bound = program.kernel("set").bind({ global: 4 }, x, 7);
  x.release();
  expect(() => bound.launch(queue)).toThrow(/argument 0/);
  bound.setArg(0, y).launch(queue);
  expect(await queue.read(y)).toEqual(Int32Array.of(7, 7, 7, 7));
});

test("a sub-buffer outlives its released buffer, and a kernel its released program", async () => {
  const whole = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
  const half = whole.slice(0, 2);
  const own = new Program(context, "__kernel void two(__global int *x) { x[0] = 2; }").buildSync();
  const kernel = own.kernel("two");
  whole.release();
  own.release();
  kernel.launch(queue, { global: 1 }, half);
  expect(await queue.read(half)).toEqual(Int32Array.of(2, 2));
});

test("objects of a released context and queue keep working, and new ones are rejected", async () => {
  const other = Context.create();
  const own = new CommandQueue(other);
  const buffer = DeviceBuffer.from(other, Int32Array.of(5));
  other.release();
  expect(await own.read(buffer)).toEqual(Int32Array.of(5));
  expect(() => new DeviceBuffer(other, 16)).toThrow(DisposedError);
  expect(() => new CommandQueue(other)).toThrow(DisposedError);
  expect(() => new Program(other, "__kernel void f() {}")).toThrow(DisposedError);
  const pending = own.read(buffer);
  own.release();
  expect(await pending).toEqual(Int32Array.of(5));
  expect(() => own.readSync(buffer)).toThrow(DisposedError);
});

test("rejects waiting for a released event; commands that already wait for it continue", async () => {
  const user = new UserEvent(context);
  const after = queue.enqueueMarker(user);
  user.complete();
  user.release();
  await after.wait();
  expect(() => queue.enqueueMarker(user)).toThrow(DisposedError);
  expect(() => queue.enqueueMarker([after, user])).toThrow(DisposedError);
  after.release();
  await expect(after.wait()).rejects.toThrow(DisposedError);
  expect(() => after.status).toThrow(DisposedError);
});

test("releasing an object twice does not affect other wrappers of its memory", async () => {
  const x = DeviceBuffer.from(context, Int32Array.of(3));
  const same = x.as(Uint8Array);
  x.release();
  x.release();
  x[Symbol.dispose]();
  expect(await queue.read(same, Int32Array)).toEqual(Int32Array.of(3));
  expect(String(x)).toContain("released");
});

test("unreachable objects are collected, and the handle table is empty then", async () => {
  const before = handleCount();
  (() => {
    const other = Context.create();
    const own = new CommandQueue(other);
    const buffer = DeviceBuffer.from(other, Int32Array.of(1, 2, 3, 4));
    const built = new Program(other, "__kernel void f(__global int *x, __local int *y) { x[0] = 1; }").buildSync();
    const bound = built.kernel("f").bind({ global: 1 }, buffer, new LocalMemory(4));
    const list = new LaunchList(other).push(bound);
    list.enqueue(own);
    own.finishSync();
    buffer.slice(0, 2);
    own.mapSync(buffer);
  })();
  expect(handleCount()).toBeGreaterThan(before);
  expect(await collectUntil(() => handleCount() <= before)).toBe(true);
});
