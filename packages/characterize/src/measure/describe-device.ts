/** Describes the measured device. */
import { type Device, DeviceType } from "@cl/core";

import type { DeviceDescription } from "./characteristics.js";

export function describeDevice(device: Device): DeviceDescription {
  const { platform, type } = device;
  return {
    name: device.name,
    vendor: device.vendor,
    version: device.version,
    driverVersion: device.driverVersion,
    platform: platform.name,
    platformVersion: platform.version,
    type: typeName(type),
    computeUnits: device.maxComputeUnits,
    clockFrequency: device.maxClockFrequency,
    globalMemory: device.globalMemSize,
    localMemory: device.localMemSize,
  };
}

function typeName(type: number): DeviceDescription["type"] {
  if (type & DeviceType.CPU) return "cpu";
  if (type & DeviceType.GPU) return "gpu";
  return type & DeviceType.ACCELERATOR ? "accelerator" : "custom";
}
