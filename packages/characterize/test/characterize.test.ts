import { characterize, type Characteristics, isCharacteristics, type Quantity } from "@cl/characterize";
import { Context, type Device, handleCount } from "@cl/core";
import { expect, test, vi } from "vitest";

import { small } from "./support/small.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

// @cl/core keeps a new program for seconds to store its binary, which would distort the handle counts.
vi.stubEnv("CL_NO_CACHE", "1");
const [device] = Context.create().devices as [Device];

/** Every quantity in a result, with its path. */
function quantities(value: unknown, path = ""): readonly (readonly [string, Quantity])[] {
  if (typeof value !== "object" || value === null) return [];
  if ("median" in value) return [[path, value as Quantity]];
  return Object.entries(value).flatMap(([key, inner]) => quantities(inner, `${path}.${key}`));
}

test("characterize measures every group; quantities are positive, ordered and have the right units", async () => {
  const result = await characterize(device, small);
  expect(isCharacteristics(result)).toBe(true);
  const keys = "format,device,quick,timer,launch,transfer,globalMemory,localMemory,compute,atomics";
  expect(Object.keys(result).filter((name) => name !== "localMemoryBankCount")).toEqual(keys.split(","));
  const all = quantities(result);
  expect(all.length).toBeGreaterThan(30);
  for (const [path, { median, p10, p90, samples }] of all) {
    expect(p10, path).toBeGreaterThan(0);
    expect(median, path).toBeGreaterThanOrEqual(p10);
    expect(p90, path).toBeGreaterThanOrEqual(median);
    expect(samples, path).toBeGreaterThanOrEqual(1);
  }
  const units = (group: keyof Characteristics): Set<string> =>
    new Set(quantities(result[group]).map(([, { unit }]) => unit));
  expect(units("globalMemory")).toEqual(new Set(["B/s"]));
  expect(units("transfer")).toEqual(new Set(["s", "B/s"]));
  expect(units("launch")).toEqual(new Set(["s", "launches/s"]));
  expect(units("compute")).toEqual(new Set(["flop/s", "op/s"]));
  expect(units("atomics")).toEqual(new Set(["op/s"]));
  expect(result.device).toMatchObject({ name: device.name, driverVersion: device.driverVersion });
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
});

test(
  "transfer curves have increasing sizes from one byte, in both directions and for each kind of memory",
  { tags: "ci" },
  async () => {
    const { transfer } = await characterize(device, { ...small, only: ["transfer"] });
    const curves = transfer?.curves ?? [];
    const kinds = curves.map(({ kind, direction }) => `${kind} ${direction}`);
    for (const kind of ["pageable", "pinned", "mapped"]) {
      expect(kinds).toContain(`${kind} hostToDevice`);
      expect(kinds).toContain(`${kind} deviceToHost`);
    }
    expect(kinds).toContain("device deviceToDevice");
    for (const { kind, points } of curves) {
      const sizes = points.map(({ bytes }) => bytes);
      if (kind !== "staged") expect(sizes[0]).toBe(1);
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      expect(new Set(sizes).size).toBe(sizes.length);
    }
  },
);

test("progress increases, names its group and ends at 1, and the event loop turns in between", async () => {
  const seen: { group: string; fraction: number; turns: number }[] = [];
  let turns = 0;
  let stopped = false;
  const count = (): void => {
    turns++;
    if (!stopped) setImmediate(count);
  };
  setImmediate(count);
  await characterize(device, {
    ...small,
    only: ["atomics", "timer"],
    onProgress: ({ group, fraction }) => seen.push({ group, fraction, turns }),
  });
  stopped = true;
  const fractions = seen.map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
  expect(fractions[0]).toBeGreaterThan(0);
  // In the order of the groups, not of the option.
  expect([...new Set(seen.map(({ group }) => group))]).toEqual(["timer", "atomics"]);
  expect(new Set(seen.map((one) => one.turns)).size).toBeGreaterThan(4);
});

test("a signal or an error of onProgress aborts it with its reason, and no handle leaks", { tags: "ci" }, async () => {
  const reason = new Error("enough");
  await expect(characterize(device, { ...small, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  for (const after of [1, 12, 40]) {
    const before = handleCount();
    const controller = new AbortController();
    let turns = 0;
    const options = {
      ...small,
      signal: controller.signal,
      onProgress: () => void (++turns === after && controller.abort(reason)),
    };
    await expect(characterize(device, options)).rejects.toBe(reason);
    expect(turns).toBe(after);
    expect(handleCount()).toBeLessThanOrEqual(before);
  }
  const onProgress = (): never => {
    throw reason;
  };
  await expect(characterize(device, { ...small, onProgress })).rejects.toBe(reason);
});

test("concurrent calls run in turn, and an aborted one does not affect the others", { tags: "ci" }, async () => {
  const order: string[] = [];
  const controller = new AbortController();
  const run = async (name: string, signal?: AbortSignal): Promise<void> => {
    const onProgress = (): void => void order.push(name);
    await characterize(device, { ...small, only: ["atomics"], onProgress, ...(signal ? { signal } : {}) });
  };
  const first = run("first");
  const second = run("second", controller.signal);
  const third = run("third");
  controller.abort(new Error("left"));
  await expect(second).rejects.toThrow("left");
  await Promise.all([first, third]);
  expect([...new Set(order)]).toEqual(["first", "third"]);
  expect(order.lastIndexOf("first")).toBeLessThan(order.indexOf("third"));
});

test.each([
  [wrongType("device"), [undefined]],
  [wrongType("options"), [device, 1]],
  [wrongType("options.only"), [device, { only: "timer" }]],
  [wrongType("options.only"), [device, { only: [] }]],
  [wrongType("options.only[1]"), [device, { only: ["timer", "speed"] }]],
  [wrongType("options.quick"), [device, { quick: 1 }]],
  [wrongType("options.cache"), [device, { cache: "no" }]],
  [wrongType("options.refresh"), [device, { refresh: null }]],
  [wrongType("options.duration"), [device, { duration: "1" }]],
  [outOfRange("options.duration"), [device, { duration: 0 }]],
  [outOfRange("options.duration"), [device, { duration: NaN }]],
  [outOfRange("options.maxBytes"), [device, { maxBytes: 1 }]],
  [wrongType("options.onProgress"), [device, { onProgress: 1 }]],
  [wrongType("signal"), [device, { signal: {} }]],
])("rejects an invalid argument with %s (%#)", async (error, args) => {
  await expect(Reflect.apply(characterize, undefined, args)).rejects.toThrow(error);
});
