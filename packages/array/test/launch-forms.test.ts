/**
 * All families launch groups or single work-items with loops by the same property of the device.
 *
 * @module-tag full
 */
import { hasParallelWorkItems } from "@cl/characterize";
import { overrideProperties } from "@cl/characterize/testing";
import { CommandQueue, Context, DeviceLocalMemType, DeviceType, Kernel } from "@cl/core";
import { type DeviceArray, type Arrays, arrays } from "@cl/array";
import { afterEach, expect, test, vi } from "vitest";

import { queue } from "./support/device.js";

afterEach(() => {
  vi.restoreAllMocks();
});

const size = 20_000;

/** Integers, so that results do not depend on the order of additions. */
const calls: Readonly<Record<string, (xp: Arrays, a: DeviceArray) => DeviceArray | Promise<DeviceArray>>> = {
  add: (_, a) => a.add(1).eval(),
  "every second": (_, a) => a.slice("::2").copy(),
  sum: (_, a) => a.sum(),
  "sum of columns": (_, a) => a.reshape([200, 100]).sum({ axis: 0 }),
  cumsum: (_, a) => a.cumsum(),
  "cumsum of columns": (_, a) => a.reshape([200, 100]).cumsum({ axis: 0 }),
  sort: (_, a) => a.sort(),
  "sort of rows": (_, a) => a.reshape([-1, 10]).sort({ axis: 1 }),
  bincount: (xp, a) => xp.bincount(a),
  uniform: (xp) => xp.random(1).uniform([size], { dtype: "float32" }),
  integers: (xp) => xp.random(1).integers([size], { low: 0, high: 9 }),
};

test.each([
  ["a CPU", { type: DeviceType.CPU }],
  ["a GPU", { type: DeviceType.GPU }],
  ["an accelerator with local memory", { type: DeviceType.ACCELERATOR, localMemType: DeviceLocalMemType.LOCAL }],
  ["an accelerator without it", { type: DeviceType.ACCELERATOR, localMemType: DeviceLocalMemType.GLOBAL }],
])("launches on %s are of one form and give the same results", { timeout: 240_000 }, async (_, properties) => {
  const host = Int32Array.from({ length: size }, (_one, k) => (k * 7919) % 101);
  const own = arrays(queue, { eager: true });
  const expected = new Map<string, unknown>();
  for (const [name, call] of Object.entries(calls)) {
    expected.set(name, await (await call(own, own.fromHost(host))).data());
  }

  using _override = overrideProperties(queue.device, properties);
  const xp = arrays(new CommandQueue(Context.create()), { eager: true });
  const a = xp.fromHost(host);
  const launches = vi.spyOn(Kernel.prototype, "launch");
  for (const [name, call] of Object.entries(calls)) {
    launches.mockClear();
    const result = await call(xp, a);
    expect(await result.data(), name).toEqual(expected.get(name));
    // Later launches may combine the results of the first one.
    const local = launches.mock.calls[0]?.[1]?.local;
    if (hasParallelWorkItems(queue.device)) expect(local, name).toBeGreaterThan(1);
    else expect(local, name).toBe(1);
  }
});
