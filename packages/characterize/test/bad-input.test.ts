import * as characterization from "@cl/characterize";
import { describe, expect, test } from "vitest";

import { context, device } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

type Anything = (...args: unknown[]) => unknown;
const functions = characterization as unknown as Record<string, Anything>;
const ask = (name: keyof typeof characterization, ...args: unknown[]): unknown => functions[name]?.(...args);

/** The functions whose first parameter is a device. */
const ofDevice = Object.keys(functions).filter((name) =>
  /^(?:fast|has|local|loop|nv|reasonable|simd|simultaneous|usable|why)/.test(name),
) as (keyof typeof characterization)[];

describe("an invalid device is rejected", () => {
  test.each(ofDevice)("by %s", async (name) => {
    for (const wrong of [undefined, null, 0, "gpu", {}, context, device.platform]) {
      await expect((async () => ask(name, wrong, 4, [1]))()).rejects.toThrow(wrongType("device"));
    }
  });

  test("by every function of a device", () => expect(ofDevice).toHaveLength(23));
});

const conflicts = "whyNotLocalAccessConflictFree";
const multiple = "reasonableWorkGroupSizeMultipleSync";
test.each<readonly [Error, keyof typeof characterization, unknown[]]>([
  [wrongType("platform"), "poclVersion", [device]],
  [outOfRange("itemSize"), "simdGroupSize", [device, 0]],
  [outOfRange("itemSize"), "simdGroupSize", [device, 1.5]],
  [outOfRange("itemSize"), conflicts, [device, 0.5, [4]]],
  [outOfRange("argumentCount"), "usableLocalMemorySize", [device, -1]],
  [wrongType("shape"), conflicts, [device, 4]],
  [outOfRange("shape"), conflicts, [device, 4, []]],
  [outOfRange("shape[1]"), conflicts, [device, 4, [4, 0]]],
  [outOfRange("shape"), conflicts, [device, 4, [2 ** 40, 2 ** 40]]],
  [outOfRange("storedShape"), conflicts, [device, 4, [4, 4], [17]]],
  [outOfRange("storedShape[1]"), conflicts, [device, 4, [4, 4], [4, 3]]],
  [wrongType("measured"), "localMemoryBankCount", [device, "32"]],
  [outOfRange("measured.localMemoryBankCount"), "localMemoryBankCount", [device, { localMemoryBankCount: 0 }]],
  [wrongType("fallback"), "poclVersion", [device.platform, [1]]],
  [wrongType("fallback[0]"), "poclVersion", [device.platform, ["1", 2]]],
  [wrongType("options"), multiple, [device, []]],
  [wrongType("options.context"), multiple, [device, { context: device }]],
  [wrongType("signal"), "hasStructArgumentCountBug", [device, { signal: 1 }]],
  [outOfRange("options"), "characterize", [device, { noSuchOption: 1 }]],
  [outOfRange("options"), "launchShape", [device, 64, { noSuchOption: 1 }]],
  [outOfRange("options"), "shapedSource", [{ noSuchOption: 1 }]],
  [outOfRange("options"), "reasonableWorkGroupSizeMultiple", [device, { noSuchOption: 1 }]],
  [outOfRange("options"), "hasStructArgumentCountBug", [device, { noSuchOption: 1 }]],
])("%s is thrown by %s (%#)", async (error, name, args) => {
  await expect((async () => ask(name, ...args))()).rejects.toThrow(error);
});

test("an aborted signal rejects before a kernel is built", async () => {
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  for (const name of ["reasonableWorkGroupSizeMultiple", "hasStructArgumentCountBug"] as const) {
    await expect(ask(name, device, { signal })).rejects.toBe(reason);
  }
});
