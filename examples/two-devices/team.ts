/** Who works together: devices, or parts of the only one that there is. */
import { type Device, OpenCLError } from "@cl/core";

/** Two devices or more. */
export interface Team {
  readonly members: readonly Device[];
  /** The device of which they are parts, if they are. */
  readonly whole: Device | undefined;
  /** In words, who they are. */
  readonly about: string;
}

/** All devices if there are several of them; else one in two parts; else one twice, for two queues on it. */
export function teamOf(devices: readonly [Device, ...Device[]]): Team {
  const [device] = devices;
  if (devices.length > 1) {
    const names = devices.map(({ name }) => name).join(", ");
    return { members: devices, whole: undefined, about: `${devices.length} devices: ${names}` };
  }
  const parts = halvesOf(device);
  if (parts.length > 1) {
    const units = parts.map(({ maxComputeUnits }) => maxComputeUnits).join(" and ");
    return { members: parts, whole: device, about: `one device, cut into parts of ${units} units: ${device.name}` };
  }
  return {
    members: [device, device],
    whole: device,
    about: `one device that cannot be cut, two queues: ${device.name}`,
  };
}

/** Nothing if the device cannot be divided: most GPUs cannot. */
function halvesOf(device: Device): readonly Device[] {
  const units = device.maxComputeUnits;
  const half = Math.floor(units / 2);
  if (half === 0) return [];
  try {
    return device.createSubDevices({ byCounts: [half, units - half] });
  } catch (error) {
    if (error instanceof OpenCLError) return [];
    throw error;
  }
}
