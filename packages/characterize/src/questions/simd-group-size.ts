/** The number of work-items that run in lockstep. */
import { checkInstance, checkInteger } from "@cl/base";
import { Device } from "@cl/core";

import { warnOfNoEntry } from "../device/characterization-warning.js";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu, isGpu, vendorOf } from "../device/vendor.js";
import { hardwareOf } from "../tables/hardware.js";
import { checkMeasured, type Measured } from "./measured.js";

/**
 * Returns the number of work-items that run in lockstep: an NVIDIA warp, an AMD wavefront or an Intel sub-group. It is
 * 1 on CPUs, where the compiler and not the hardware forms vectors. If the compiler chooses the size per kernel, it is
 * the driver's preference. `itemSize` is the size of the vector elements in bytes, which has no effect on any known
 * device.
 *
 * Returns `undefined` and emits a {@link CharacterizationWarning} if neither the driver nor a table has it.
 *
 * @example
 * ```ts
 * console.log(simdGroupSize(context.devices[0]!, 4)); // such as 32
 * ```
 */
export function simdGroupSize(device: Device, itemSize: number, measured?: Measured): number | undefined {
  checkInstance(device, Device, "device");
  checkInteger(itemSize, "itemSize", 1);
  return simdGroupSizeOf(factsOf(device), checkMeasured(measured));
}

/** Uses a measurement, the driver's report, the table or the driver's preference, in this order. */
export function simdGroupSizeOf(facts: DeviceFacts, measured: Measured = {}): number | undefined {
  if (measured.simdGroupSize !== undefined) return measured.simdGroupSize;
  const lockstep = lockstepOf(facts);
  return (
    lockstep ??
    (isGpu(facts) ? preferredMultiple(facts) : undefined) ??
    warnOfNoEntry(facts, "simdGroupSize", askKernel)
  );
}

const askKernel =
  "call 'await reasonableWorkGroupSizeMultiple(device)' for the compiler's preference, which can be passed as 'measured'";

/** Returns the SIMD group size if it is known, without a warning and without using the driver's preference. */
export function lockstepOf(facts: DeviceFacts): number | undefined {
  if (isCpu(facts)) return 1;
  const size = facts.warpSizeNv ?? facts.wavefrontWidthAmd ?? hardwareOf(facts)?.simdGroupSize;
  if (size !== undefined) return size;
  // The size on all NVIDIA GPUs, with any driver.
  return isGpu(facts) && vendorOf(facts) === "nvidia" ? 32 : undefined;
}

/** Returns the driver's preference. If it is not a possible width but a multiple, returns the largest width. */
function preferredMultiple(facts: DeviceFacts): number | undefined {
  const { preferredWorkGroupSizeMultiple: preferred, subGroupSizesIntel: widths = [] } = facts;
  if (widths.length === 0) return preferred;
  return preferred !== undefined && widths.includes(preferred) ? preferred : Math.max(...widths);
}
