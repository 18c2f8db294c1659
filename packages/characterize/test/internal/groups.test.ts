import { Context, type Device } from "@cl/core";
import { afterEach, expect, test } from "vitest";

import { BenchDevice, yieldToEventLoop, seconds } from "../../src/measure/bench-device.js";
import { measureCompute } from "../../src/measure/compute-group.js";
import { measureLaunches } from "../../src/measure/launch-group.js";
import { measureLocalMemory } from "../../src/measure/local-group.js";
import type { Measuring } from "../../src/measure/measuring.js";

const [device] = Context.create().devices as [Device];
const benches: BenchDevice[] = [];

afterEach(() => {
  for (const bench of benches.splice(0)) bench.release();
});

/** Reads a property of the target without a proxy, which cannot access private fields. */
function read(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === "function"
    ? (...args: readonly unknown[]): unknown => Reflect.apply(value, target, args)
    : value;
}

/** The device with some properties overridden. */
function overridden(answers: Partial<Record<keyof Device, unknown>>): Measuring {
  const fakeDevice = new Proxy(device, {
    get(target, key) {
      if (Object.hasOwn(answers, key)) return answers[key as keyof Device];
      return read(target, key);
    },
  });
  const bench = new BenchDevice(device, undefined);
  benches.push(bench);
  const fakeBench = new Proxy(bench, {
    get(target, key) {
      if (key === "device") return fakeDevice;
      return read(target, key);
    },
  });
  return {
    bench: fakeBench,
    quick: true,
    plan: { rounds: 1, turn: 0.0002 },
    environment: { now: seconds, yieldToEventLoop: () => yieldToEventLoop(undefined) },
    maxBytes: 2 ** 20,
    deviceBytes: 2 ** 20,
  };
}

test("a device without double and half has neither in its results, and notes name the missing extensions", async () => {
  const { entries, notes } = await measureCompute(overridden({ hasExtension: () => false }));
  expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(["float", "int"]));
  expect(notes).toContain("double: the device lacks cl_khr_fp64");
  expect(notes).toContain("half: the device lacks cl_khr_fp16");
});

test.each([{ localMemSize: 0 }, { localMemSize: 128 }, { maxWorkGroupSize: 1 }])(
  "a device with too little local memory or too small groups has no results but a reason: %o",
  async (answers) => {
    const { read, strides, banks, notes } = await measureLocalMemory(overridden(answers));
    expect({ read, strides }).toEqual({ read: [], strides: [] });
    expect(banks).toMatchObject({ observable: false, reason: expect.stringContaining("the device has") });
    expect(notes).toHaveLength(1);
  },
);

test("a small local memory is measured with fewer strides", async () => {
  const { strides, read } = await measureLocalMemory(overridden({ localMemSize: 8192 }));
  expect(read.length).toBeGreaterThan(0);
  expect(Math.max(...strides.map(({ stride }) => stride))).toBe(16);
});

test("a device without out-of-order queues has a note", async () => {
  const { outOfOrder, inOrder, notes } = await measureLaunches(overridden({ hasQueueOutOfOrderExecMode: false }));
  expect(inOrder?.median).toBeGreaterThan(0);
  expect(outOfOrder).toBeUndefined();
  expect(notes).toContain("outOfOrder: the device does not support out-of-order queues");
});
