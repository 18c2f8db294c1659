/** Detects drivers that cache builds from source. */
import { checkInstance } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isPocl, vendorOf } from "../device/vendor.js";

/**
 * Returns true if the driver caches builds from source, false if it does not, and `undefined` if unknown. In any case,
 * `@cl/core` caches binaries, which is faster.
 */
export function hasSourceBuildCache(device: Device): boolean | undefined {
  return hasSourceBuildCacheOf(factsOf(checkInstance(device, Device, "device")));
}

/** Decides by platform and not by device, since PoCL also supports NVIDIA GPUs. */
export function hasSourceBuildCacheOf(facts: DeviceFacts): boolean | undefined {
  const { platform } = facts;
  if (isPocl(platform)) return true;
  if (vendorOf({ vendor: platform.vendor, name: platform.name, platform }) === "nvidia") return true;
  if (platform.name === "AMD Accelerated Parallel Processing") return false;
  return undefined;
}
