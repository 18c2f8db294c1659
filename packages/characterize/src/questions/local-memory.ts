/** Properties of local memory. */
import { checkInstance, checkInteger } from "@cl/base";
import { Device, NotSupportedError } from "@cl/core";

import { warnOfNoEntry } from "../device/characterization-warning.js";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu } from "../device/vendor.js";
import { hardwareOf, hasOrdinaryLocalMemory } from "../tables/hardware.js";
import { checkMeasured, type Measured } from "./measured.js";

/**
 * Returns the bytes of local memory that a kernel can use. NVIDIA GPUs before compute capability 2.0 store kernel
 * arguments in local memory: `argumentCount` is their number in units of 32 bits. Without it, space for the maximum
 * number is subtracted.
 */
export function usableLocalMemorySize(device: Device, argumentCount?: number): number {
  checkInstance(device, Device, "device");
  if (argumentCount !== undefined) checkInteger(argumentCount, "argumentCount");
  return usableLocalMemorySizeOf(factsOf(device), argumentCount);
}

/** Computes the usable size. Memory that newer NVIDIA GPUs reserve is not in `localMemSize`; see tables/nvidia.ts. */
export function usableLocalMemorySizeOf(facts: DeviceFacts, argumentCount?: number): number {
  const { computeCapabilityMajorNv: major, localMemSize } = facts;
  if (major === undefined) return localMemSize;
  // The driver adds 4 bytes to the size of a kernel's local arguments (580.159 on an H200 rejects 48 KiB).
  if (major >= 2) return Math.max(0, localMemSize - reservedByDriver);
  return Math.max(0, localMemSize - (argumentCount === undefined ? 256 : 4 * argumentCount));
}

/** Reserved bytes, rounded up to the alignment of vectors. */
const reservedByDriver = 16;

const remedy = "measure it with 'await characterize(device)' and pass the result as 'measured'";

/** Returns the size of a word in a bank of local memory in bytes: 4 on all known devices. */
export function localMemoryAccessGranularity(device: Device): number {
  checkInstance(device, Device, "device");
  return granularity;
}

/** Bytes per word of the banks of NVIDIA, AMD and Intel; see the sources of the tables. */
export const granularity = 4;

/**
 * Returns the number of work-items whose simultaneous accesses of local memory can conflict: 1 on CPUs. Returns
 * `undefined` and emits a {@link CharacterizationWarning} if the device is in no table and has not been measured.
 */
export function simultaneousWorkItemsOnLocalAccess(device: Device, measured?: Measured): number | undefined {
  checkInstance(device, Device, "device");
  return simultaneousWorkItemsOf(factsOf(device), checkMeasured(measured));
}

/** Uses a measurement, the device type or the table, in this order. */
export function simultaneousWorkItemsOf(facts: DeviceFacts, measured: Measured = {}): number | undefined {
  return (
    measured.simultaneousWorkItemsOnLocalAccess ??
    (isCpu(facts) ? 1 : undefined) ??
    hardwareOf(facts)?.localMemory?.simultaneous ??
    // Equal to the number of banks, as in every row of the tables.
    measured.localMemoryBankCount ??
    warnOfNoEntry(facts, "simultaneousWorkItemsOnLocalAccess", remedy)
  );
}

/**
 * Returns the number of banks of local memory. Throws a `NotSupportedError` if local memory is part of global memory,
 * as on CPUs. Returns `undefined` and emits a {@link CharacterizationWarning} if the device is in no table and has not
 * been measured.
 */
export function localMemoryBankCount(device: Device, measured?: Measured): number | undefined {
  checkInstance(device, Device, "device");
  return localMemoryBankCountOf(factsOf(device), checkMeasured(measured));
}

/** Uses a measurement, the driver's report or the table, in this order. */
export function localMemoryBankCountOf(facts: DeviceFacts, measured: Measured = {}): number | undefined {
  if (measured.localMemoryBankCount !== undefined) return measured.localMemoryBankCount;
  if (hasOrdinaryLocalMemory(facts)) {
    throw new NotSupportedError(
      "localMemoryBankCount",
      `the local memory of '${facts.name}' is part of global memory, which has no banks`,
    );
  }
  return (
    facts.localMemBanksAmd ??
    hardwareOf(facts)?.localMemory?.banks ??
    warnOfNoEntry(facts, "localMemoryBankCount", remedy)
  );
}
