/** What a device can do, one question each. */
import { checkInstance } from "@cl/base";
import { Device, DeviceSvmCapabilities } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isPocl } from "../device/vendor.js";
import { poclVersionOf } from "./pocl-version.js";

/** True if kernels may use `double`. */
export function hasDoubleSupport(device: Device): boolean {
  return checkInstance(device, Device, "device").hasExtension("cl_khr_fp64");
}

/** True if kernels may use `double` as far as AMD's smaller boards have it: without all that `cl_khr_fp64` asks for. */
export function hasAmdDoubleSupport(device: Device): boolean {
  return checkInstance(device, Device, "device").hasExtension("cl_amd_fp64");
}

/** True if the device has SVM that the host touches while it is mapped. */
export function hasCoarseGrainBufferSvm(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.COARSE_GRAIN_BUFFER);
}

/** True if the device has SVM that host and device touch at any time. */
export function hasFineGrainBufferSvm(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_BUFFER);
}

/** True if kernels may touch any memory of the process. */
export function hasFineGrainSystemSvm(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_SYSTEM);
}

/** True if host and device may use atomics on SVM that both touch at any time. */
export function hasFineGrainBufferSvmAtomics(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_BUFFER | DeviceSvmCapabilities.ATOMICS);
}

/** True if host and device may use atomics on any memory of the process. */
export function hasFineGrainSystemSvmAtomics(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_SYSTEM | DeviceSvmCapabilities.ATOMICS);
}

function check(device: Device): DeviceFacts {
  return factsOf(checkInstance(device, Device, "device"));
}

/** The rule of the five: what the device says, where the platform is one whose word on this can be taken. */
export function hasSvm(facts: DeviceFacts, wanted: number): boolean {
  return mayHaveSvm(facts) && ((facts.svmCapabilities ?? 0) & wanted) === wanted;
}

/** OpenCL has it from 2.0 on. PoCL had it in 1.0, whatever version it called itself, and parts that failed before. */
function mayHaveSvm({ platform }: DeviceFacts): boolean {
  if (isPocl(platform)) return (poclVersionOf(platform)?.[0] ?? 0) >= 1;
  const major = /^OpenCL (\d+)\./.exec(platform.version)?.[1];
  return major !== undefined && Number(major) >= 2;
}
