/** Which generation of NVIDIA's GPUs it is. */
import { checkInstance } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";

/** The compute capability of an NVIDIA GPU, such as `[9, 0]`; undefined for all other devices. */
export function nvComputeCapability(device: Device): readonly [major: number, minor: number] | undefined {
  return nvComputeCapabilityOf(factsOf(checkInstance(device, Device, "device")));
}

/** The rule: what the driver answers, if it knows the question. */
export function nvComputeCapabilityOf(facts: DeviceFacts): readonly [major: number, minor: number] | undefined {
  const { computeCapabilityMajorNv: major, computeCapabilityMinorNv: minor } = facts;
  return major === undefined || minor === undefined ? undefined : [major, minor];
}
