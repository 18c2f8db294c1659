/** Arrays in host code that cannot wait: console.log, JSON.stringify, iteration, spread and destructuring. */
import { inspect } from "node:util";

import { CommandQueue } from "@cl/core";
import { arrays } from "@cl/array";
import { expect, test, vi } from "vitest";

import { wrongType } from "@cl/testing/error-like";
import { context, queue, xp } from "./support/device.js";

const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
const records = xp.records("float2", [3]);

test("console.log shows the shape, the dtype and the device", () => {
  const { name } = queue.device;
  expect(inspect(a)).toBe(`DeviceArray { float32 [2, 3] on ${name} }`);
  expect(inspect({ view: a.T.slice(0) }, { breakLength: Infinity })).toBe(
    `{ view: DeviceArray { float32 [2] on ${name} } }`,
  );
  expect(inspect(xp.zeros([], { dtype: "bool" }))).toBe(`DeviceArray { bool [] on ${name} }`);
  expect(inspect(records)).toBe(`RecordArray { float32x2 [3] on ${name} }`);
  expect(String(a)).toBe("DeviceArray { float32 [2, 3] }");
});

test("console.log neither waits nor enqueues commands, also if the array has been released", () => {
  const own = new CommandQueue(context);
  const array = arrays(own).zeros([1000]);
  const spies = [
    vi.spyOn(CommandQueue.prototype, "enqueueCopy"),
    vi.spyOn(CommandQueue.prototype, "finish"),
    vi.spyOn(CommandQueue.prototype, "flush"),
  ];
  const text = inspect(array);
  array.release();
  expect(inspect(array)).toBe(text);
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
});

test("JSON.stringify throws an error that names the reader to wait for", async () => {
  for (const value of [a, a.slice(":0"), records]) {
    for (const call of [() => JSON.stringify(value), () => JSON.stringify({ deep: [value] })]) {
      expect(call).toThrow(wrongType("await a.toNested()"));
    }
  }
  expect(JSON.stringify(await a.toNested())).toBe("[[0,1,2],[3,4,5]]");
  expect(JSON.stringify(await records.toNested())).toBe("[[0,0],[0,0],[0,0]]");
});

test("iteration throws an error that names the reader to wait for", () => {
  const visit = (value: object): void => {
    for (const one of value as Iterable<unknown>) expect(one).toBeDefined();
  };
  for (const value of [a, a.slice(":0"), records]) {
    const iterable = value as object as Iterable<unknown>;
    for (const call of [
      () => visit(value),
      () => [...iterable],
      () => Math.max(...(iterable as Iterable<number>)),
      () => Array.from(iterable),
      () => new Set(iterable),
      () => {
        const [first] = iterable;
        return first;
      },
    ]) {
      expect(call).toThrow(wrongType("await a.toNested()"));
    }
  }
});
