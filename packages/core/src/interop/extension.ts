/** Checks for device extensions. */
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import type { Device } from "../platform/device.js";

/** Throws unless all devices support an extension. */
export function requireExtension(devices: readonly Device[], extension: string, routine: string): void {
  const without = devices.find((device) => !device.hasExtension(extension));
  if (without === undefined) return;
  throw new NotSupportedError(routine, `device '${without.name}' lacks the extension ${extension}`);
}

/** Returns the version of a device's extension; `undefined` if the device does not report it. */
export function extensionVersion(device: Device, extension: string): string | undefined {
  try {
    return device.extensionsWithVersion.find(({ name }) => name === extension)?.version;
  } catch (error) {
    // Devices before OpenCL 3.0 do not report extension versions.
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}
