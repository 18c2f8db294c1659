/** Launches of kernels with one work-item for one or several elements, ordered with the commands of their arrays. */
import type { CommandEvent, CommandQueue, Device, LaunchSizes } from "@cl/core";
import { ordered, type Storage } from "../storage/storage.js";
import type { GeneratedKernel } from "./generated-program.js";

/** Returns whole work-groups that cover a number of work-items; the excess ones do nothing. */
export function wholeGroups(device: Device, items: number): LaunchSizes {
  const local = Math.min(items <= 64 ? 64 : 256, device.maxWorkGroupSize);
  return { global: Math.ceil(items / local) * local, local };
}

/** Events around a launch. */
interface LaunchEvents {
  /** Additional events that the launch waits for. */
  readonly waitFor?: readonly CommandEvent[] | undefined;
  /** Whether its event is needed. */
  readonly wantEvent?: boolean | undefined;
}

const none: readonly CommandEvent[] = [];

/** Launches a kernel after what it must wait for. Returns an event if one is needed. */
export function launchOrdered(
  queue: CommandQueue,
  kernel: GeneratedKernel,
  sizes: LaunchSizes,
  args: readonly unknown[],
  reads: readonly Storage[],
  writes: readonly Storage[],
  { waitFor = none, wantEvent = false }: LaunchEvents = {},
): CommandEvent | undefined {
  if (!wantEvent && waitFor.length === 0 && areUsedBy(queue, reads) && areUsedBy(queue, writes)) {
    for (const storage of writes) storage.computeReaders();
    kernel.ready()?.launch(queue, sizes, ...args);
    return undefined;
  }
  const written = new Set(writes);
  const read = [...new Set(reads)].filter((storage) => !written.has(storage));
  return ordered(queue, read, [...written], (before, needsEvent) => {
    const events = waitFor.length === 0 ? before : [...before, ...waitFor];
    const ready = kernel.ready();
    if (wantEvent || needsEvent || events.length > 0) {
      return ready?.enqueue(queue, { ...sizes, waitFor: events }, ...args);
    }
    ready?.launch(queue, sizes, ...args);
    return undefined;
  });
}

/** Returns whether an in-order queue alone uses storages, so that its commands need not wait for others. */
function areUsedBy(queue: CommandQueue, storages: readonly Storage[]): boolean {
  for (const { ordering } of storages) if (!ordering.keepsItself(queue)) return false;
  return true;
}
