/** How local memory is built. */
import { checkInstance, checkInteger } from "@cl/base";
import { Device, NotSupportedError } from "@cl/core";

import { warnOfNoEntry } from "../device/characterization-warning.js";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu } from "../device/vendor.js";
import { hardwareOf, hasOrdinaryLocalMemory } from "../tables/hardware.js";
import { checkMeasured, type Measured } from "./measured.js";

/**
 * Bytes of local memory that a kernel can use. The oldest NVIDIA GPUs, before compute capability 2.0, put the arguments
 * of a kernel there: `argumentCount` is how many of 32 bits it has, and without it the most that there can be are left
 * out.
 */
export function usableLocalMemorySize(device: Device, argumentCount?: number): number {
  checkInstance(device, Device, "device");
  if (argumentCount !== undefined) checkInteger(argumentCount, "argumentCount");
  return usableLocalMemorySizeOf(factsOf(device), argumentCount);
}

/** The rule. What newer NVIDIA GPUs keep for themselves is not part of what they show; see tables/nvidia.ts. */
export function usableLocalMemorySizeOf(facts: DeviceFacts, argumentCount?: number): number {
  const { computeCapabilityMajorNv: major, localMemSize } = facts;
  if (major === undefined) return localMemSize;
  // The driver adds 4 bytes to what a kernel's local arguments take (580.159 on an H200, which refuses 48 KiB of them).
  if (major >= 2) return Math.max(0, localMemSize - driversOwn);
  return Math.max(0, localMemSize - (argumentCount === undefined ? 256 : 4 * argumentCount));
}

/** A multiple of what vectors are aligned to. */
const driversOwn = 16;

const measureIt = "measure it with 'await characterize(device)' and pass the result as 'measured'";

/** Bytes of the words into which banks of local memory are divided: 4 on all devices known. */
export function localMemoryAccessGranularity(device: Device): number {
  checkInstance(device, Device, "device");
  return granularity;
}

/** The word of the banks: NVIDIA's, AMD's and Intel's; see the tables' sources. */
export const granularity = 4;

/**
 * How many work-items access local memory at once and may conflict with each other: 1 on processors. Undefined, with a
 * {@link CharacterizationWarning}, where no table knows the device and nothing is measured.
 */
export function simultaneousWorkItemsOnLocalAccess(device: Device, measured?: Measured): number | undefined {
  checkInstance(device, Device, "device");
  return simultaneousWorkItemsOf(factsOf(device), checkMeasured(measured));
}

/** The rule. */
export function simultaneousWorkItemsOf(facts: DeviceFacts, measured: Measured = {}): number | undefined {
  return (
    measured.simultaneousWorkItemsOnLocalAccess ??
    (isCpu(facts) ? 1 : undefined) ??
    hardwareOf(facts)?.localMemory?.simultaneous ??
    // As many as banks, as in every row of the tables.
    measured.localMemoryBankCount ??
    warnOfNoEntry(facts, "simultaneousWorkItemsOnLocalAccess", measureIt)
  );
}

/**
 * How many banks local memory has. Throws `NotSupportedError` where local memory is ordinary memory, as on processors.
 * Undefined, with a {@link CharacterizationWarning}, where no table knows the device and nothing is measured.
 */
export function localMemoryBankCount(device: Device, measured?: Measured): number | undefined {
  checkInstance(device, Device, "device");
  return localMemoryBankCountOf(factsOf(device), checkMeasured(measured));
}

/** The rule: a measurement, the driver's own word, the table. */
export function localMemoryBankCountOf(facts: DeviceFacts, measured: Measured = {}): number | undefined {
  if (measured.localMemoryBankCount !== undefined) return measured.localMemoryBankCount;
  if (hasOrdinaryLocalMemory(facts)) {
    throw new NotSupportedError(
      "localMemoryBankCount",
      `the local memory of '${facts.name}' is ordinary memory, which has no banks`,
    );
  }
  return (
    facts.localMemBanksAmd ??
    hardwareOf(facts)?.localMemory?.banks ??
    warnOfNoEntry(facts, "localMemoryBankCount", measureIt)
  );
}
