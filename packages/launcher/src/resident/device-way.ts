/** How the groups of a kernel can wait for each other on a device. */
import { type Context, type Device, DeviceType } from "@cl/core";

import type { ResidentWay } from "./resident-source.js";

/** How groups see what others wrote, and how many there are. */
export interface DeviceWay {
  readonly way: ResidentWay;
  /** Work-items of a group, where any number will do. */
  readonly size: number;
  /** Number of groups of that size. More might not run at the same time, and those that do not leave. */
  readonly groups: number;
  /** Compiler options that it needs. */
  readonly options: string;
}

/** Few groups wait for each other faster than many. Two of 512 work-items run at the same time if each has at most 64 registers. */
const gpuSize = 512;
const gpuGroups = 2;

/** Returns the way of all devices of a context; `undefined` without one. */
export function deviceWay({ devices }: Context): DeviceWay | undefined {
  const ways = devices.map((device) => wayOf(device));
  const [first] = ways;
  return ways.every((one) => one?.way === first?.way) ? first : undefined;
}

function wayOf(device: Device): DeviceWay | undefined {
  const units = device.maxComputeUnits;
  if ((device.type & DeviceType.CPU) !== 0) return { way: "CPU", size: 1, groups: units, options: "" };
  const gpu = { size: Math.min(gpuSize, device.maxWorkGroupSize), groups: gpuGroups * units };
  // Forward progress is known of NVIDIA's GPUs since Volta, and so are instructions for memory order.
  if (device.hasExtension("cl_nv_device_attribute_query") && device.computeCapabilityMajorNv >= 7) {
    return { way: "PTX", ...gpu, options: "" };
  }
  return hasDeviceOrder(device) ? { way: "ATOMICS", ...gpu, options: "-cl-std=CL3.0" } : undefined;
}

/** Whether OpenCL C 3.0 can order memory among all groups of the device. */
function hasDeviceOrder(device: Device): boolean {
  if (!/^OpenCL [3-9]/.test(device.version)) return false;
  const features = new Set(device.openclCFeatures.map(({ name }) => name));
  return features.has("__opencl_c_atomic_order_acq_rel") && features.has("__opencl_c_atomic_scope_device");
}
