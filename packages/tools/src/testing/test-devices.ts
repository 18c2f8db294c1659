/** The devices that tests run on. */
import { outOfRange } from "@cl/base";
import { type Device, getPlatforms, selectDeviceLists, selectDevices } from "@cl/core";

/**
 * The devices that `CL_TEST_DEVICES` names, a `;`-separated list of selectors as `CL_DEVICE` has them; without it those of
 * `CL_DEVICE`; without both all that there are. Each comes once.
 *
 * A selector that names nothing throws a `RangeError` which lists what there is; where there is no runtime or no device,
 * a `NoRuntimeError` says what was tried.
 *
 * @example
 * ```typescript
 * const names = testDevices().map((device) => device.name);
 * ```
 */
export function testDevices(): readonly Device[] {
  const selected = selectedBy("CL_TEST_DEVICES", (text) => selectDeviceLists(text).flat());
  const devices = selected ?? selectedBy("CL_DEVICE", selectDevices) ?? everyDevice();
  return [...new Set(devices)];
}

/** What a variable selects; undefined if it is not set. Errors say which variable it was. */
function selectedBy(variable: string, select: (text: string) => readonly Device[]): readonly Device[] | undefined {
  const text = process.env[variable];
  if (text === undefined || text === "") return undefined;
  // Where there is nothing to select from, that is the error.
  everyDevice();
  const devices = attempt(variable, () => select(text));
  if (devices.length === 0) throw noDevice(`${variable} is "${text}", which names no device`);
  return devices;
}

function attempt(variable: string, select: () => readonly Device[]): readonly Device[] {
  try {
    return select();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw noDevice(`${variable}: ${cause.message}`, { cause });
  }
}

function noDevice(message: string, options?: ErrorOptions): RangeError {
  return outOfRange(message, { ...options, code: "ERR_CL_NO_DEVICE" });
}

function everyDevice(): readonly Device[] {
  const devices = getPlatforms().flatMap((platform) => platform.devices);
  // It throws what core says where no platform has a device.
  return devices.length > 0 ? devices : selectDevices("all");
}
