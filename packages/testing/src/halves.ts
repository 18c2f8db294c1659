/** Devices that are parts of another device. */
import { Context, type Device, type Partition } from "@cl/core";

import { needs, type Run } from "@cl/base/testing";

/** Returns the parts of a device; `undefined` if it cannot be divided like that. */
export function partsOf(device: Device, partition: Partition): readonly Device[] | undefined {
  try {
    return device.createSubDevices(partition);
  } catch {
    return undefined;
  }
}

/** Two parts of a device in a context of their own. */
export interface Halves {
  readonly shared: Context;
  readonly first: Device;
  readonly second: Device;
}

/** Returns two parts of a device, or the reason why it has none. */
export function halvesOf(device: Device): Halves | string {
  const [first, second] = partsOf(device, { byCounts: [1, 1] }) ?? [];
  if (first === undefined || second === undefined) return `'${device.name}' cannot be divided into two parts`;
  return { shared: new Context([first, second]), first, second };
}

/** Returns the halves; skips the test if there are none. */
export function needsHalves(run: Run, halves: Halves | string): Halves {
  if (typeof halves === "string") {
    needs(run, false, halves);
    throw new Error(halves);
  }
  return halves;
}
