/** Selects the table row of a device. */
import { DeviceLocalMemType } from "@cl/core";
import type { DeviceFacts } from "../device/facts.js";
import { isCpu, isGpu, vendorOf } from "../device/vendor.js";
import { amdRow } from "./amd.js";
import { appleRow } from "./apple.js";
import { intelRow } from "./intel.js";
import { maliRow } from "./mali.js";
import { nvidiaRow } from "./nvidia.js";
import type { Hardware } from "./row.js";

/** Returns the row of a GPU; `undefined` for CPUs and unknown devices. */
export function hardwareOf(facts: DeviceFacts): Hardware | undefined {
  if (!isGpu(facts)) return undefined;
  switch (vendorOf(facts)) {
    case "nvidia":
      return nvidiaRow(facts);
    case "amd":
      return amdRow(facts);
    case "intel":
      return intelRow(facts);
    case "apple":
      return appleRow(facts);
    case "arm":
      return maliRow(facts);
    // Adreno's compiler chooses between a full and a half wave for each kernel, and Qualcomm's guide (80-NB295-11,
    // "Waves and fibers") does not document the number of banks. Driver queries and measurements are used instead.
    case "qualcomm":
    case undefined:
    default:
      return undefined;
  }
}

/** Returns true if local memory is part of global memory, without banks and bank conflicts. */
export function hasOrdinaryLocalMemory(facts: DeviceFacts): boolean {
  return isCpu(facts) || facts.localMemType === DeviceLocalMemType.GLOBAL;
}
