/** Sub-devices for tests. */
import { Context, type Device, type Partition } from "@cl/core";

import { needs, type Run } from "@cl/base/testing";

/** Returns the sub-devices of a device; `undefined` if it cannot be partitioned in this way. */
export function partsOf(device: Device, partition: Partition): readonly Device[] | undefined {
  try {
    return device.createSubDevices(partition);
  } catch {
    return undefined;
  }
}

/** Two sub-devices with a shared context. */
export interface Halves {
  readonly shared: Context;
  readonly first: Device;
  readonly second: Device;
}

/** Returns two sub-devices of a device, or the reason why it cannot be partitioned. */
export function halvesOf(device: Device): Halves | string {
  const [first, second] = partsOf(device, { byCounts: [1, 1] }) ?? [];
  if (first === undefined || second === undefined) return `'${device.name}' cannot be divided into two parts`;
  return { shared: new Context([first, second]), first, second };
}

/** Returns the sub-devices; skips the test with the reason if the device cannot be partitioned. */
export function needsHalves(run: Run, halves: Halves | string): Halves {
  if (typeof halves === "string") {
    needs(run, false, halves);
    throw new Error(halves);
  }
  return halves;
}
