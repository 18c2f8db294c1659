/** How many work-items run in lockstep. */
import { checkInstance, checkInteger } from "@cl/base";
import { Device } from "@cl/core";

import { warnOfNoEntry } from "../device/characterization-warning.js";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu, isGpu, vendorOf } from "../device/vendor.js";
import { hardwareOf } from "../tables/hardware.js";
import { checkMeasured, type Measured } from "./measured.js";

/**
 * How many work-items run in lockstep: NVIDIA's warp, AMD's wavefront, a sub-group of Intel's. Only what the hardware
 * does by itself counts, so it is 1 on processors, where the compiler makes vectors. Where the compiler chooses for each
 * kernel, it is what the driver prefers. `itemSize` is the size in bytes of the vector's entries, which none of the
 * devices known today makes a difference of.
 *
 * Undefined, with a {@link CharacterizationWarning}, where neither driver nor table knows it.
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

/** The rule: the driver's own word first, then the table's, then the driver's preference. */
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
  "what its compiler prefers is 'await reasonableWorkGroupSizeMultiple(device)', which can be passed as 'measured'";

/** What is known without a warning, and without falling back to what a driver merely prefers. */
export function lockstepOf(facts: DeviceFacts): number | undefined {
  if (isCpu(facts)) return 1;
  const told = facts.warpSizeNv ?? facts.wavefrontWidthAmd ?? hardwareOf(facts)?.simdGroupSize;
  if (told !== undefined) return told;
  // All that NVIDIA ever made, whatever its driver or PoCL's tells.
  return isGpu(facts) && vendorOf(facts) === "nvidia" ? 32 : undefined;
}

/** A preference that is a width; some drivers prefer multiples of it, of which the largest width is the nearest. */
function preferredMultiple(facts: DeviceFacts): number | undefined {
  const { preferredWorkGroupSizeMultiple: preferred, subGroupSizesIntel: widths = [] } = facts;
  if (widths.length === 0) return preferred;
  return preferred !== undefined && widths.includes(preferred) ? preferred : Math.max(...widths);
}
