import {
  hasCoherentCaches,
  hasParallelWorkItems,
  launchShape,
  loopWorkItemCount,
  simdGroupSize,
} from "@cl/characterize";
import { overrideProperties } from "@cl/characterize/testing";
import { type Device, DeviceLocalMemType, DeviceType } from "@cl/core";
import { needs } from "@cl/base/testing";
import { expect, test } from "vitest";

import { device } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const isCpu = (device.type & DeviceType.CPU) !== 0;

test("work-items of CPUs are not parallel, and their caches are coherent", () => {
  expect(hasParallelWorkItems(device)).toBe(!isCpu && (device.type & DeviceType.GPU) !== 0);
  expect(hasCoherentCaches(device)).toBe(isCpu);
});

test("a sub-device has the properties of its device, and as many loops as its own compute units need", (run) => {
  needs(run, device.partitionMaxSubDevices > 1, `'${device.name}' cannot be partitioned`);
  const [part] = device.createSubDevices({ equally: 1 }) as [Device];
  expect(hasParallelWorkItems(part)).toBe(hasParallelWorkItems(device));
  expect(hasCoherentCaches(part)).toBe(hasCoherentCaches(device));
  expect(loopWorkItemCount(part)).toBe(16);
  using _ = overrideProperties(part, { maxComputeUnits: 8 });
  expect(loopWorkItemCount(part)).toBe(32);
  part.release();
});

test("overrideProperties changes the answers about a device until it is disposed", () => {
  const answers = (): unknown[] => [
    hasParallelWorkItems(device),
    hasCoherentCaches(device),
    loopWorkItemCount(device),
    launchShape(device, 1e8, { kind: "reduction" }).form,
  ];
  const before = answers();
  {
    using _gpu = overrideProperties(device, { type: DeviceType.GPU, maxComputeUnits: 100, warpSizeNv: 64 });
    expect(answers()).toEqual([true, false, 400, "grid-stride"]);
    expect(simdGroupSize(device, 4)).toBe(64);
    {
      using _cpu = overrideProperties(device, { type: DeviceType.CPU });
      expect(answers()).toEqual([false, true, 400, "chunk"]);
    }
    expect(hasParallelWorkItems(device)).toBe(true);
  }
  expect(answers()).toEqual(before);
});

test("an accelerator has shapes for parallel work-items if it has local memory", () => {
  const formFor = (localMemType: number): string => {
    using _ = overrideProperties(device, { type: DeviceType.ACCELERATOR, localMemType });
    expect(hasCoherentCaches(device)).toBe(false);
    return launchShape(device, 1e8, { kind: "reduction" }).form;
  };
  expect(formFor(DeviceLocalMemType.LOCAL)).toBe("grid-stride");
  expect(formFor(DeviceLocalMemType.GLOBAL)).toBe("chunk");
});

test("overrideProperties rejects what is not a device or not a property", () => {
  const override = overrideProperties as (...args: unknown[]) => Disposable;
  expect(() => override({}, {})).toThrow(wrongType("device"));
  expect(() => override(device, 5)).toThrow(wrongType("properties"));
  expect(() => override(device, { kind: 1 })).toThrow(outOfRange("properties"));
});
