/** Which row of which table a device has. */
import { DeviceLocalMemType } from "@cl/core";
import type { DeviceFacts } from "../device/facts.js";
import { isCpu, isGpu, vendorOf } from "../device/vendor.js";
import { amdRow } from "./amd.js";
import { appleRow } from "./apple.js";
import { intelRow } from "./intel.js";
import { maliRow } from "./mali.js";
import { nvidiaRow } from "./nvidia.js";
import type { Hardware } from "./row.js";

/** The row of a GPU; processors and unknown devices have none. */
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
    // "Waves and fibers") gives no number of banks: its driver and measurements know better than a table.
    case "qualcomm":
    case undefined:
    default:
      return undefined;
  }
}

/** True where local memory is a part of ordinary memory: it has no banks, and nothing in it conflicts. */
export function hasOrdinaryLocalMemory(facts: DeviceFacts): boolean {
  return isCpu(facts) || facts.localMemType === DeviceLocalMemType.GLOBAL;
}
