/** Launches of kernels with one work-item for one or several elements, ordered with the commands of their arrays. */
import type { CommandQueue, Device, LaunchSizes } from "@cl/core";
import { ordered, type Storage } from "../storage/storage.js";
import type { GeneratedKernel } from "./generated-program.js";

/** Returns whole work-groups that cover a number of work-items; the excess ones do nothing. */
export function wholeGroups(device: Device, items: number): LaunchSizes {
  const local = Math.min(items <= 64 ? 64 : 256, device.maxWorkGroupSize);
  return { global: Math.ceil(items / local) * local, local };
}

/** Launches a kernel after what it must wait for. Without need there is no event. */
export function launchOrdered(
  queue: CommandQueue,
  kernel: GeneratedKernel,
  sizes: LaunchSizes,
  args: readonly unknown[],
  reads: readonly Storage[],
  writes: readonly Storage[],
): void {
  ordered(queue, [...new Set(reads)], [...new Set(writes)], (waitFor, wantEvent) => {
    const ready = kernel.ready();
    if (wantEvent || waitFor.length > 0) return ready?.enqueue(queue, { ...sizes, waitFor }, ...args);
    ready?.launch(queue, sizes, ...args);
    return undefined;
  });
}
