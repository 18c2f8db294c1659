/** Device support for shared virtual memory (SVM). */
import { DeviceSvmCapabilities } from "../binding/constants.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import type { Context } from "./context.js";
import type { Device } from "./device.js";

/**
 * Kind of shared virtual memory. `"coarse"`: the host accesses it while it is mapped. `"fine-buffer"`: host and devices
 * access it at any time. `"fine-system"`: devices can access any memory of the process.
 */
export type SvmKind = "coarse" | "fine-buffer" | "fine-system";

const capabilities: Readonly<Record<SvmKind, number>> = {
  coarse: DeviceSvmCapabilities.COARSE_GRAIN_BUFFER,
  "fine-buffer": DeviceSvmCapabilities.FINE_GRAIN_BUFFER,
  "fine-system": DeviceSvmCapabilities.FINE_GRAIN_SYSTEM,
};

const kindNames: Readonly<Record<SvmKind, string>> = {
  coarse: "coarse-grained SVM",
  "fine-buffer": "fine-grained buffer SVM",
  "fine-system": "fine-grained system SVM",
};

/** Returns the device's `DeviceSvmCapabilities`; 0 if the runtime does not support the query. */
function capabilitiesOf(device: Device): number {
  try {
    return device.svmCapabilities;
  } catch (error) {
    // Runtimes before OpenCL 2.0.
    if (error instanceof OpenCLError) return 0;
    throw error;
  }
}

/** Returns whether the device supports a kind of SVM, and atomics on it if `atomics` is true. */
export function hasSvm(device: Device, kind: SvmKind, atomics = false): boolean {
  const required = capabilities[kind] | (atomics ? DeviceSvmCapabilities.ATOMICS : 0);
  return (capabilitiesOf(device) & required) === required;
}

/** Throws unless a device of the context supports a kind of SVM. OpenCL requires it only of devices that use it. */
export function requireSvm(context: Context, routine: string, kind: SvmKind, atomics = false): void {
  if (context.devices.some((device) => hasSvm(device, kind, atomics))) return;
  const required = kindNames[kind] + (atomics ? " with atomics" : "");
  const list = context.devices.map((device) => `'${device.name}' has ${describeSupport(device)}`);
  throw new NotSupportedError(
    routine,
    `${routine} needs ${required} (OpenCL 2.0), which no device of the context supports: ${list.join(", ")}`,
  );
}

function describeSupport(device: Device): string {
  const kinds = (Object.keys(capabilities) as SvmKind[]).filter((kind) => hasSvm(device, kind));
  if (kinds.length === 0) return "no SVM";
  const atomics = (capabilitiesOf(device) & DeviceSvmCapabilities.ATOMICS) !== 0;
  return kinds.map((kind) => kindNames[kind]).join(" and ") + (atomics ? "" : " without atomics");
}
