/** Finds the platforms and devices to list. */
import { type Device, getPlatforms, type Platform, selectDevices } from "@cl/core";

/** A platform with its selected devices. */
export interface ListedPlatform {
  readonly index: number;
  readonly platform: Platform;
  readonly devices: readonly ListedDevice[];
}

/** A device and its selector. */
export interface ListedDevice {
  readonly selector: string;
  readonly device: Device;
}

/** Returns all platforms and devices, or those that a selector matches. */
export function listMachine(selector: string | undefined): readonly ListedPlatform[] {
  const selected = selector === undefined ? undefined : new Set(selectDevices(selector));
  const all = getPlatforms().map((platform, index) => ({
    index,
    platform,
    devices: platform.devices
      .map((device, d) => ({ selector: `${index}:${d}`, device }))
      .filter(({ device }) => selected?.has(device) ?? true),
  }));
  return selected === undefined ? all : all.filter(({ devices }) => devices.length > 0);
}
