/** What a device must have for a call: the error names the extension that is missing. */
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import type { Device } from "../platform/device.js";

/** Throws unless all the devices list an extension. */
export function requireExtension(devices: readonly Device[], extension: string, routine: string): void {
  const without = devices.find((device) => !device.hasExtension(extension));
  if (without === undefined) return;
  throw new NotSupportedError(routine, `device '${without.name}' lacks the extension ${extension}`);
}

/** The version in which a device has an extension; undefined where it does not say. */
export function extensionVersion(device: Device, extension: string): string | undefined {
  try {
    return device.extensionsWithVersion.find(({ name }) => name === extension)?.version;
  } catch (error) {
    // Devices before OpenCL 3.0 tell no versions.
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}
