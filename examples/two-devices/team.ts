/** Selects the devices that work together, or partitions a single device. */
import { type Device, OpenCLError } from "@cl/core";

/** Two devices or more. */
export interface Team {
  readonly members: readonly Device[];
  /** The single device that was partitioned or used twice, if any. */
  readonly whole: Device | undefined;
  /** Description of the members. */
  readonly description: string;
}

/** Returns all devices if there are several, else the halves of one device, or one device twice if it cannot be split. */
export function teamOf(devices: readonly [Device, ...Device[]]): Team {
  const [device] = devices;
  if (devices.length > 1) {
    const names = devices.map(({ name }) => name).join(", ");
    return { members: devices, whole: undefined, description: `${devices.length} devices: ${names}` };
  }
  const parts = halvesOf(device);
  if (parts.length > 1) {
    const units = parts.map(({ maxComputeUnits }) => maxComputeUnits).join(" and ");
    return {
      members: parts,
      whole: device,
      description: `one device, partitioned into ${units} compute units: ${device.name}`,
    };
  }
  return {
    members: [device, device],
    whole: device,
    description: `one device that cannot be partitioned, two queues: ${device.name}`,
  };
}

/** Partitions a device into two sub-devices. Returns an empty list if it cannot be partitioned, as most GPUs. */
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
