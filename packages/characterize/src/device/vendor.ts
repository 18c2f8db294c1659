/** Identifies the vendor of a device and its driver. */
import { DeviceType } from "@cl/core";
import type { DeviceFacts, PlatformFacts } from "./facts.js";

/** GPU vendors with a hardware table or special rules. */
export type Vendor = "nvidia" | "amd" | "intel" | "apple" | "qualcomm" | "arm";

/**
 * Matches whole patterns, since "ati" is part of "Corporation" and "arm" of many patterns. PoCL reports the CPU's
 * vendor string ("AuthenticAMD", "GenuineIntel"), so "amd" and "intel" need no boundary before them.
 */
const patterns: readonly (readonly [Vendor, RegExp])[] = [
  ["nvidia", /\bnvidia\b/i],
  ["amd", /amd\b|\badvanced micro devices\b|\bati\b/i],
  ["intel", /intel\b/i],
  ["apple", /\bapple\b/i],
  ["qualcomm", /\bqualcomm\b/i],
  ["arm", /\barm\b/i],
];

/**
 * Returns the vendor of a device by its vendor string, its name or the platform's vendor, in this order. The platform's
 * vendor is that of the driver, which with PoCL, rusticl and Apple is not the hardware vendor.
 */
export function vendorOf(facts: Pick<DeviceFacts, "vendor" | "name" | "platform">): Vendor | undefined {
  for (const text of [facts.vendor, facts.name, facts.platform.vendor]) {
    const found = patterns.find(([, pattern]) => pattern.test(text));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** Returns true for a CPU, whatever other types the driver reports. */
export function isCpu({ type }: Pick<DeviceFacts, "type">): boolean {
  return (type & DeviceType.CPU) !== 0;
}

/** Returns true for a GPU. */
export function isGpu({ type }: Pick<DeviceFacts, "type">): boolean {
  return (type & DeviceType.GPU) !== 0;
}

/** Returns true for PoCL on any device. */
export function isPocl(platform: Pick<PlatformFacts, "name">): boolean {
  return platform.name === "Portable Computing Language";
}
