/** Selects the devices that tests run on. */
import { outOfRange } from "@cl/base";
import { type Device, getPlatforms, selectDeviceLists, selectDevices } from "@cl/core";

/**
 * Returns the devices that `CL_TEST_DEVICES` selects, a `;`-separated list of selectors in the syntax of `CL_DEVICE`.
 * Without it, returns those that `CL_DEVICE` selects, or else all devices. The result has no duplicates.
 *
 * Throws a `RangeError` that lists the available devices if a selector matches none, and a `NoRuntimeError` if no
 * OpenCL runtime or no device is found.
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

/**
 * Returns the devices that an environment variable selects, or `undefined` if it is not set. Errors name the variable.
 */
function selectedBy(variable: string, select: (text: string) => readonly Device[]): readonly Device[] | undefined {
  const text = process.env[variable];
  if (text === undefined || text === "") return undefined;
  // Without any device, throws that error and not one about the selector.
  everyDevice();
  const devices = attempt(variable, () => select(text));
  if (devices.length === 0) throw noDevice(`${variable} must select a device, received "${text}"`);
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
  // Without any device, `selectDevices` throws a NoRuntimeError.
  return devices.length > 0 ? devices : selectDevices("all");
}
