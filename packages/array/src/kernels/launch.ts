/** Launches of kernels with one work-item for one or several elements, ordered with the commands of their arrays. */
import type { CommandQueue, Device, Kernel, LaunchSizes } from "@cl/core";
import { ordered, type Storage } from "../storage/storage.js";

/** Returns whole work-groups that cover a number of work-items; the excess ones do nothing. */
export function wholeGroups(device: Device, items: number): LaunchSizes {
  const local = Math.min(items <= 64 ? 64 : 256, device.maxWorkGroupSize);
  return { global: Math.ceil(items / local) * local, local };
}

/** Launches a kernel after what it must wait for. Without need there is no event. */
export function launchOrdered(
  queue: CommandQueue,
  kernel: Kernel,
  sizes: LaunchSizes,
  args: readonly unknown[],
  reads: readonly Storage[],
  writes: readonly Storage[],
): void {
  ordered(queue, [...new Set(reads)], [...new Set(writes)], (waitFor, wantEvent) => {
    if (wantEvent || waitFor.length > 0) return kernel.enqueue(queue, { ...sizes, waitFor }, ...args);
    kernel.launch(queue, sizes, ...args);
    return undefined;
  });
}
