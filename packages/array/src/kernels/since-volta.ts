/** NVIDIA's GPUs from Volta on. */
import { nvComputeCapability } from "@cl/characterize";
import type { Device } from "@cl/core";

/**
 * Returns whether a device is an NVIDIA GPU of compute capability 7 or later: work-groups make progress whatever others wait for,
 * there are fences for the whole device, and 32 work-items can exchange bits.
 */
export function isSinceVolta(device: Device): boolean {
  const [major = 0] = nvComputeCapability(device) ?? [];
  return major >= 7;
}
