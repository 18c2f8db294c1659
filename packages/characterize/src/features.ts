/** What a device can do, one question each. */
import { Device } from "@cl/core";
import { checkInstance } from "@cl/core/checks";

/** True if kernels may use `double`. */
export function hasDoubleSupport(device: Device): boolean {
  return checkInstance(device, Device, "device").hasExtension("cl_khr_fp64");
}
