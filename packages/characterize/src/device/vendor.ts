/** Whose hardware and whose driver a device is. */
import { DeviceType } from "@cl/core";
import type { DeviceFacts, PlatformFacts } from "./facts.js";

/** Makers of GPUs that a table is kept for. */
export type Vendor = "nvidia" | "amd" | "intel" | "apple" | "qualcomm" | "arm";

/**
 * Whole words only: "ati" is a part of "Corporation", and "arm" of much. PoCL passes on what the processor calls itself
 * ("AuthenticAMD", "GenuineIntel"), hence no boundary before those.
 */
const words: readonly (readonly [Vendor, RegExp])[] = [
  ["nvidia", /\bnvidia\b/i],
  ["amd", /amd\b|\badvanced micro devices\b|\bati\b/i],
  ["intel", /intel\b/i],
  ["apple", /\bapple\b/i],
  ["qualcomm", /\bqualcomm\b/i],
  ["arm", /\barm\b/i],
];

/**
 * Who made the device. The device's own vendor decides, then its name; a platform says whose driver it is, which for
 * PoCL, rusticl and Apple's is somebody else.
 */
export function vendorOf(facts: Pick<DeviceFacts, "vendor" | "name" | "platform">): Vendor | undefined {
  for (const text of [facts.vendor, facts.name, facts.platform.vendor]) {
    const found = words.find(([, word]) => word.test(text));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** True for a processor, whatever else the driver says it is. */
export function isCpu({ type }: Pick<DeviceFacts, "type">): boolean {
  return (type & DeviceType.CPU) !== 0;
}

/** True for a GPU. */
export function isGpu({ type }: Pick<DeviceFacts, "type">): boolean {
  return (type & DeviceType.GPU) !== 0;
}

/** True for PoCL, on whatever device. */
export function isPocl(platform: Pick<PlatformFacts, "name">): boolean {
  return platform.name === "Portable Computing Language";
}
