/** The platforms and devices to tell about. */
import { type Device, getPlatforms, type Platform, selectDevices } from "@cl/core";

/** A platform with those of its devices that are wanted. */
export interface ListedPlatform {
  readonly index: number;
  readonly platform: Platform;
  readonly devices: readonly ListedDevice[];
}

/** A device, and what selects it. */
export interface ListedDevice {
  readonly selector: string;
  readonly device: Device;
}

/** Everything there is, or what a selector names. */
export function listMachine(selector: string | undefined): readonly ListedPlatform[] {
  const wanted = selector === undefined ? undefined : new Set(selectDevices(selector));
  const all = getPlatforms().map((platform, index) => ({
    index,
    platform,
    devices: platform.devices
      .map((device, d) => ({ selector: `${index}:${d}`, device }))
      .filter(({ device }) => wanted?.has(device) ?? true),
  }));
  return wanted === undefined ? all : all.filter(({ devices }) => devices.length > 0);
}
