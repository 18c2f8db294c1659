/** How a device runs work-items: what decides between a loop in each work-item and groups that share their work. */
import { checkInstance } from "@cl/base";
import { Device, DeviceLocalMemType } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu, isGpu } from "../device/vendor.js";

/**
 * Returns whether the work-items of a group run in parallel, as on GPUs. There, adjacent work-items should access
 * adjacent items, many groups hide the latency of memory, and work-items share loads through local memory.
 *
 * Elsewhere, as on CPUs, a core runs the work-items of a group one after another. A few work-items with a loop over
 * consecutive items each keep such a device busy (see {@link loopWorkItemCount}), a single work-item is as fast as a
 * thread, and a group saves nothing.
 *
 * For devices that are neither CPUs nor GPUs, returns whether they have dedicated local memory.
 *
 * @example
 * ```ts
 * console.log(hasParallelWorkItems(context.devices[0]!)); // such as false
 * ```
 */
export function hasParallelWorkItems(device: Device): boolean {
  return hasParallelWorkItemsOf(factsOf(checkInstance(device, Device, "device")));
}

export function hasParallelWorkItemsOf(facts: Pick<DeviceFacts, "type" | "localMemType">): boolean {
  if (isCpu(facts)) return false;
  return isGpu(facts) || facts.localMemType === DeviceLocalMemType.LOCAL;
}

/**
 * Returns whether the caches of all compute units are coherent, so that a work-item can read what another group wrote
 * in the same launch, after an atomic operation that tells it so. True on CPUs; false for other devices, since caches
 * of compute units of GPUs are not coherent.
 */
export function hasCoherentCaches(device: Device): boolean {
  return isCpu(factsOf(checkInstance(device, Device, "device")));
}

/**
 * Returns the number of work-items with a loop each that keep all cores busy to the end: several per core, so that a
 * delayed one delays little. Use fewer if there is little work.
 */
export function loopWorkItemCount(device: Device): number {
  return loopWorkItemCountOf(factsOf(checkInstance(device, Device, "device")));
}

export function loopWorkItemCountOf({ maxComputeUnits }: Pick<DeviceFacts, "maxComputeUnits">): number {
  return Math.max(minLoops, loopsPerUnit * maxComputeUnits);
}

const loopsPerUnit = 4;
/** Other programs delay single cores of small devices, too. */
const minLoops = 16;
