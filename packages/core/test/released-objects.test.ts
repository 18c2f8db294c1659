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
} from "@cl/core";

import { collectUntil } from "@cl/base/testing";
import { context, queue } from "./support/kernels.js";

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
