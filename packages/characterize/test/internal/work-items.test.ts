import { DeviceLocalMemType, DeviceType } from "@cl/core";
import { expect, test } from "vitest";

import type { DeviceFacts } from "../../src/device/facts.js";
import { hasParallelWorkItemsOf, loopWorkItemCountOf } from "../../src/questions/work-items.js";
import {
  adrenoDevice,
  amdDevice,
  cpuDevice,
  describeDevice,
  maliDevice,
  nvidiaDevice,
  platforms,
} from "./described-devices.js";

const { LOCAL, GLOBAL, NONE } = DeviceLocalMemType;
const accelerator = (localMemType: number): DeviceFacts =>
  describeDevice({ type: DeviceType.ACCELERATOR, localMemType });

test.each<readonly [string, DeviceFacts, boolean]>([
  ["an NVIDIA GPU", nvidiaDevice(9, 0), true],
  ["an AMD GPU", amdDevice("gfx90a"), true],
  ["a GPU whose local memory is global memory", maliDevice("Mali-G71"), true],
  ["a GPU that is the default device", adrenoDevice({ type: DeviceType.GPU | DeviceType.DEFAULT }), true],
  ["a CPU", cpuDevice(platforms.pocl, "AuthenticAMD"), false],
  ["a CPU with local memory", cpuDevice(platforms.intel, "Intel", { localMemType: LOCAL }), false],
  ["a CPU that reports all types, as oclgrind does", cpuDevice(platforms.pocl, "x", { type: 0b1111 }), false],
  ["an accelerator with local memory", accelerator(LOCAL), true],
  ["an accelerator whose local memory is global memory", accelerator(GLOBAL), false],
  ["an accelerator without local memory", accelerator(NONE), false],
  ["a custom device", describeDevice({ type: DeviceType.CUSTOM, localMemType: GLOBAL }), false],
])("hasParallelWorkItems of %s is %o", (_, facts, expected) => {
  expect(hasParallelWorkItemsOf(facts)).toBe(expected);
});

test("loopWorkItemCount is four per compute unit, and at least 16", () => {
  const counts = [1, 2, 4, 5, 64, 192].map((maxComputeUnits) =>
    loopWorkItemCountOf(cpuDevice(platforms.pocl, "AuthenticAMD", { maxComputeUnits })),
  );
  expect(counts).toEqual([16, 16, 16, 20, 256, 768]);
});
