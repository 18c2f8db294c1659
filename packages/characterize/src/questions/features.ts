/** Queries for device features. */
import { checkInstance } from "@cl/base";
import { Device, DeviceSvmCapabilities } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isPocl } from "../device/vendor.js";
import { poclVersionOf } from "./pocl-version.js";

/** Returns true if kernels can use `double`. */
export function hasDoubleSupport(device: Device): boolean {
  return checkInstance(device, Device, "device").hasExtension("cl_khr_fp64");
}

/** Returns true if kernels can use `double` with `cl_amd_fp64`, a subset of `cl_khr_fp64` on smaller AMD GPUs. */
export function hasAmdDoubleSupport(device: Device): boolean {
  return checkInstance(device, Device, "device").hasExtension("cl_amd_fp64");
}

/** Returns true if the device supports coarse-grained SVM buffers, which the host accesses while they are mapped. */
export function hasCoarseGrainBufferSvm(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.COARSE_GRAIN_BUFFER);
}

/** Returns true if the device supports fine-grained SVM buffers, which host and device can access at any time. */
export function hasFineGrainBufferSvm(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_BUFFER);
}

/** Returns true if kernels can access any memory of the process. */
export function hasFineGrainSystemSvm(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_SYSTEM);
}

/** Returns true if host and device can use atomics on fine-grained SVM buffers. */
export function hasFineGrainBufferSvmAtomics(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_BUFFER | DeviceSvmCapabilities.ATOMICS);
}

/** Returns true if host and device can use atomics on any memory of the process. */
export function hasFineGrainSystemSvmAtomics(device: Device): boolean {
  return hasSvm(check(device), DeviceSvmCapabilities.FINE_GRAIN_SYSTEM | DeviceSvmCapabilities.ATOMICS);
}

function check(device: Device): DeviceFacts {
  return factsOf(checkInstance(device, Device, "device"));
}

/** Returns true if the device reports these SVM capabilities and the platform's report is reliable. */
export function hasSvm(facts: DeviceFacts, capabilities: number): boolean {
  return mayHaveSvm(facts) && ((facts.svmCapabilities ?? 0) & capabilities) === capabilities;
}

/**
 * SVM requires OpenCL 2.0. PoCL supports it since PoCL 1.0, whatever OpenCL version it reports; earlier versions are
 * broken.
 */
function mayHaveSvm({ platform }: DeviceFacts): boolean {
  if (isPocl(platform)) return (poclVersionOf(platform)?.[0] ?? 0) >= 1;
  const major = /^OpenCL (\d+)\./.exec(platform.version)?.[1];
  return major !== undefined && Number(major) >= 2;
}
