/** Descriptions of real devices, as reported by their drivers. */
import { DeviceLocalMemType, DeviceType } from "@cl/core";

import type { DeviceFacts, PlatformFacts } from "../../src/device/facts.js";

const pocl: PlatformFacts = {
  name: "Portable Computing Language",
  vendor: "The pocl project",
  version: "OpenCL 3.0 PoCL 3.1+debian  Linux, None+Asserts, RELOC, SPIR, LLVM 15.0.6",
};
const cuda: PlatformFacts = { name: "NVIDIA CUDA", vendor: "NVIDIA Corporation", version: "OpenCL 3.0 CUDA 13.0.98" };
const rocm: PlatformFacts = {
  name: "AMD Accelerated Parallel Processing",
  vendor: "Advanced Micro Devices, Inc.",
  version: "OpenCL 2.1 AMD-APP (3649.0)",
};
const intel: PlatformFacts = {
  name: "Intel(R) OpenCL Graphics",
  vendor: "Intel(R) Corporation",
  version: "OpenCL 3.0 ",
};
const apple: PlatformFacts = { name: "Apple", vendor: "Apple", version: "OpenCL 1.2 (May  9 2023 18:31:07)" };
const rusticl: PlatformFacts = { name: "rusticl", vendor: "Mesa/X.org", version: "OpenCL 3.0 " };
const android: PlatformFacts = { name: "ARM Platform", vendor: "ARM", version: "OpenCL 3.0 v1.r38p1" };
const snapdragon: PlatformFacts = {
  name: "QUALCOMM Snapdragon(TM)",
  vendor: "QUALCOMM",
  version: "OpenCL 3.0 QUALCOMM build",
};

/** Describes a device. Properties default to those of a common GPU. */
export function describeDevice(facts: Partial<DeviceFacts>): DeviceFacts {
  return {
    platform: { name: "Somebody's", vendor: "Somebody", version: "OpenCL 1.2 " },
    name: "Something",
    vendor: "Somebody",
    version: "OpenCL 1.2 ",
    type: DeviceType.GPU,
    extensions: [],
    maxComputeUnits: 16,
    maxWorkGroupSize: 1024,
    maxWorkItemSizes: [1024, 1024, 64],
    addressBits: 64,
    globalMemCacheSize: 0,
    localMemSize: 49_152,
    localMemType: DeviceLocalMemType.LOCAL,
    ...facts,
  };
}

/** An NVIDIA GPU with a compute capability. */
export function nvidiaDevice(major: number, minor: number, more: Partial<DeviceFacts> = {}): DeviceFacts {
  return describeDevice({
    platform: cuda,
    name: `NVIDIA of compute capability ${major}.${minor}`,
    vendor: "NVIDIA Corporation",
    computeCapabilityMajorNv: major,
    computeCapabilityMinorNv: minor,
    warpSizeNv: 32,
    ...more,
  });
}

/** An AMD GPU with ROCm's name, optionally with AMD-specific properties. */
export function amdDevice(name: string, more: Partial<DeviceFacts> = {}): DeviceFacts {
  return describeDevice({ platform: rocm, name, vendor: "Advanced Micro Devices, Inc.", ...more });
}

/** An Intel GPU by name. */
export function intelDevice(name: string, more: Partial<DeviceFacts> = {}): DeviceFacts {
  return describeDevice({
    platform: intel,
    name,
    vendor: "Intel(R) Corporation",
    subGroupSizesIntel: [8, 16, 32],
    preferredWorkGroupSizeMultiple: 32,
    localMemSize: 65_536,
    ...more,
  });
}

/** A CPU. */
export function cpuDevice(platform: PlatformFacts, vendor: string, more: Partial<DeviceFacts> = {}): DeviceFacts {
  return describeDevice({
    platform,
    name: "a processor",
    vendor,
    type: DeviceType.CPU,
    localMemType: DeviceLocalMemType.GLOBAL,
    maxComputeUnits: 2,
    maxWorkGroupSize: 4096,
    maxWorkItemSizes: [4096, 4096, 4096],
    localMemSize: 1_048_576,
    globalMemCacheSize: 33_554_432,
    preferredWorkGroupSizeMultiple: 8,
    ...more,
  });
}

/** A device of Apple's platform. */
export function appleDevice(name: string, vendor = "Apple", more: Partial<DeviceFacts> = {}): DeviceFacts {
  return describeDevice({ platform: apple, name, vendor, localMemSize: 32_768, ...more });
}

/** A Mali GPU, whose local memory is global memory. */
export function maliDevice(name: string): DeviceFacts {
  return describeDevice({ platform: android, name, vendor: "ARM", localMemType: DeviceLocalMemType.GLOBAL });
}

/** An Adreno GPU. */
export function adrenoDevice(more: Partial<DeviceFacts> = {}): DeviceFacts {
  return describeDevice({
    platform: snapdragon,
    name: "QUALCOMM Adreno(TM)",
    version: "OpenCL 3.0 Adreno(TM) 730",
    vendor: "QUALCOMM",
    ...more,
  });
}

export const platforms = { pocl, cuda, rocm, intel, apple, rusticl, android, snapdragon };
