/** Build options that trade accuracy for speed. */
import { checkInstance } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";

/**
 * Returns build options for fast, less accurate floating-point arithmetic. The compiler assumes that NaN, infinities
 * and signed zeros do not occur.
 *
 * @example
 * ```ts
 * const options = fastInaccurateBuildOptions(context.devices[0]!);
 * await new Program(context, "__kernel void k(__global float *x) { x[0] *= 2; }").build({ options });
 * ```
 */
export function fastInaccurateBuildOptions(device: Device): readonly string[] {
  return fastInaccurateBuildOptionsOf(factsOf(checkInstance(device, Device, "device")));
}

/** OpenCL 1.1 removed `-cl-strict-aliasing`, so only compilers that are known to accept it get it. */
export function fastInaccurateBuildOptionsOf(facts: DeviceFacts): readonly string[] {
  const options = ["-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"];
  return /^(Advanced Micro|NVIDIA)/.test(facts.vendor) ? [...options, "-cl-strict-aliasing"] : options;
}
