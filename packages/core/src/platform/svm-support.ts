/** What devices have of shared virtual memory, and the sentence for what they lack. */
import { DeviceSvmCapabilities } from "../binding/constants.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import type { Context } from "./context.js";
import type { Device } from "./device.js";

/**
 * How closely host and device share memory. `"coarse"`: the host touches it while it is mapped. `"fine-buffer"`: host and
 * device touch it at any time. `"fine-system"`: devices may touch any memory of the process.
 */
export type SvmKind = "coarse" | "fine-buffer" | "fine-system";

const capabilities: Readonly<Record<SvmKind, number>> = {
  coarse: DeviceSvmCapabilities.COARSE_GRAIN_BUFFER,
  "fine-buffer": DeviceSvmCapabilities.FINE_GRAIN_BUFFER,
  "fine-system": DeviceSvmCapabilities.FINE_GRAIN_SYSTEM,
};

const words: Readonly<Record<SvmKind, string>> = {
  coarse: "coarse-grained SVM",
  "fine-buffer": "fine-grained buffer SVM",
  "fine-system": "fine-grained system SVM",
};

/** The device's kinds as bits of `DeviceSvmCapabilities`; 0 where nobody knows of them. */
function capabilitiesOf(device: Device): number {
  try {
    return device.svmCapabilities;
  } catch (error) {
    // Runtimes before OpenCL 2.0 do not know the question.
    if (error instanceof OpenCLError) return 0;
    throw error;
  }
}

/** True if the device has such memory, and atomics on it if that is asked. */
export function hasSvm(device: Device, kind: SvmKind, atomics = false): boolean {
  const wanted = capabilities[kind] | (atomics ? DeviceSvmCapabilities.ATOMICS : 0);
  return (capabilitiesOf(device) & wanted) === wanted;
}

/** Throws unless some device of the context has it. OpenCL asks for no more; each kernel needs it of its own device. */
export function requireSvm(context: Context, routine: string, kind: SvmKind, atomics = false): void {
  if (context.devices.some((device) => hasSvm(device, kind, atomics))) return;
  const wanted = words[kind] + (atomics ? " with atomics" : "");
  const list = context.devices.map((device) => `'${device.name}' has ${whatIt(device)}`);
  throw new NotSupportedError(
    routine,
    `${routine} needs ${wanted} (it came with OpenCL 2.0), but no device of the context has it: ${list.join(", ")}`,
  );
}

function whatIt(device: Device): string {
  const kinds = (Object.keys(capabilities) as SvmKind[]).filter((kind) => hasSvm(device, kind));
  if (kinds.length === 0) return "no SVM";
  const atomics = (capabilitiesOf(device) & DeviceSvmCapabilities.ATOMICS) !== 0;
  return kinds.map((kind) => words[kind]).join(" and ") + (atomics ? "" : " without atomics");
}
