/** The compute capability of NVIDIA GPUs. */
import { checkInstance } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";

/** Returns the compute capability of an NVIDIA GPU, such as `[9, 0]`; `undefined` for other devices. */
export function nvComputeCapability(device: Device): readonly [major: number, minor: number] | undefined {
  return nvComputeCapabilityOf(factsOf(checkInstance(device, Device, "device")));
}

/** Returns the compute capability that the driver reports. */
export function nvComputeCapabilityOf(facts: DeviceFacts): readonly [major: number, minor: number] | undefined {
  const { computeCapabilityMajorNv: major, computeCapabilityMinorNv: minor } = facts;
  return major === undefined || minor === undefined ? undefined : [major, minor];
}
