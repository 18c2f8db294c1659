import { expect, test } from "vitest";
import {
  Context,
  type Device,
  DeviceAffinityDomain,
  DevicePartitionProperty,
  DisposedError,
  OpenCLError,
  type Partition,
} from "@cl/core";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { device } from "./support/kernels.js";

const knows = (property: number): boolean => device.partitionProperties.includes(property);

/** Returns the sub-devices, or the driver's error if the device cannot be divided in this way. */
function divide(partition: Partition, possible: boolean): readonly Device[] {
  if (possible) return device.createSubDevices(partition);
  expect(() => device.createSubDevices(partition)).toThrow(OpenCLError);
  return [];
}

test("divides a device equally", () => {
  for (const part of divide({ equally: 1 }, knows(DevicePartitionProperty.EQUALLY) && device.maxComputeUnits > 1)) {
    expect(part.maxComputeUnits).toBe(1);
    expect(part.parentDevice).toBe(device);
    expect(part.platform).toBe(device.platform);
  }
});

test("divides a device by counts", () => {
  const parts = divide({ byCounts: [1, 1] }, knows(DevicePartitionProperty.BY_COUNTS) && device.maxComputeUnits > 1);
  expect(parts.map((part) => part.maxComputeUnits)).toEqual(parts.map(() => 1));
  expect(new Set(parts.map((part) => part.pointer)).size).toBe(parts.length);
});

test.each(["numa", "l4", "l3", "l2", "l1", "next"] as const)(
  "divides a device by %s if supported, else throws the driver's OpenCLError",
  (byAffinityDomain) => {
    const bits = {
      numa: "NUMA",
      l4: "L4_CACHE",
      l3: "L3_CACHE",
      l2: "L2_CACHE",
      l1: "L1_CACHE",
      next: "NEXT_PARTITIONABLE",
    } as const;
    const bit = DeviceAffinityDomain[bits[byAffinityDomain]];
    const parts = divide({ byAffinityDomain }, (device.partitionAffinityDomain & bit) !== 0);
    expect(parts.every((part) => part.parentDevice === device)).toBe(true);
  },
);

test("passes OpenCL's own property lists to the driver", () => {
  const { BY_COUNTS, BY_COUNTS_LIST_END } = DevicePartitionProperty;
  const parts = divide(
    { properties: [BY_COUNTS, 1, BY_COUNTS_LIST_END] },
    knows(BY_COUNTS) && device.maxComputeUnits > 1,
  );
  expect(parts).toHaveLength(parts.length === 0 ? 0 : 1);
  for (const properties of [[], [0], [0x1234, 5], [0x1234n, 5n]]) {
    expect(() => device.createSubDevices({ properties })).toThrow(OpenCLError);
  }
});

test.each<[unknown, Error]>([
  [{ equally: 1, byCounts: [1] }, wrongType("partition")],
  [{ equally: 2 ** 33 }, outOfRange("partition.equally")],
  [{ byCounts: [1, -1] }, outOfRange("partition.byCounts[1]")],
  [{ byCounts: [2 ** 32 + 1] }, outOfRange("partition.byCounts[0]")],
  [{ byAffinityDomain: "toString" }, wrongType("partition")],
  [{ properties: ["x"] }, wrongType("partition.properties[0]")],
])("rejects a partition of %j, and says what is wrong", (partition, message) => {
  expect(() => device.createSubDevices(partition as Partition)).toThrow(message);
});

test("a released sub-device throws, and its parent stays usable", () => {
  const [part] = divide({ byCounts: [1] }, knows(DevicePartitionProperty.BY_COUNTS) && device.maxComputeUnits > 1);
  if (part === undefined) return;
  part.label = "left half";
  expect(part.referenceCount).toBeGreaterThan(0);
  part.release();
  part.release();
  expect(part.released).toBe(true);
  expect(() => part.name).toThrow(DisposedError);
  expect(() => part.name).toThrow(/"left half" has been released/);
  expect(() => new Context(part)).toThrow(DisposedError);
  expect(device.name).not.toBe("");
});
