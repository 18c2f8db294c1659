/** Options that trade exactness for speed. */
import { checkInstance } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";

/**
 * Build options for floating-point arithmetic that is fast and may be inexact: NaN, infinities and signed zeros are taken
 * not to occur.
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

/** The rule. OpenCL 1.1 dropped strict aliasing: only compilers that are known to take it get it. */
export function fastInaccurateBuildOptionsOf(facts: DeviceFacts): readonly string[] {
  const options = ["-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"];
  return /^(Advanced Micro|NVIDIA)/.test(facts.vendor) ? [...options, "-cl-strict-aliasing"] : options;
}
