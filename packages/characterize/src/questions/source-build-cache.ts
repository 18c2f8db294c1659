/** Whether building the same source again is cheap. */
import { checkInstance } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isPocl, vendorOf } from "../device/vendor.js";

/**
 * True if the driver itself keeps what it built from source, false if it does not, undefined if nobody knows. `@cl/core`
 * keeps binaries in a cache of its own in any case, which is faster than both.
 */
export function hasSourceBuildCache(device: Device): boolean | undefined {
  return hasSourceBuildCacheOf(factsOf(checkInstance(device, Device, "device")));
}

/** The rule. It is about the driver, hence the platform: PoCL has NVIDIA's GPUs, too. */
export function hasSourceBuildCacheOf(facts: DeviceFacts): boolean | undefined {
  const { platform } = facts;
  if (isPocl(platform)) return true;
  if (vendorOf({ vendor: platform.vendor, name: platform.name, platform }) === "nvidia") return true;
  if (platform.name === "AMD Accelerated Parallel Processing") return false;
  return undefined;
}
