/** Copies of bytes and boxes of bytes between memories, and of pixels between images and the rest. */
import { wrongValue } from "@cl/base";
import { type CommandEvent, type CommandQueue, type CopyEnd, DeviceBuffer, Image } from "@cl/core";
import { checkCopy } from "@cl/core/internal";

import { allAccesses } from "../list/access.js";
import { bytesOf, copyBytes, isHost, type CopyLauncherRange } from "./copy-ends.js";
import { type CopyWay, endAccess } from "./copy-way.js";

/** The copy, checked. */
export function memoryCopy(target: CopyEnd | Image, source: CopyEnd | Image, range: CopyLauncherRange): CopyWay {
  if (target instanceof Image || source instanceof Image) return commandCopy(target, source, range);
  const isBox = range.region !== undefined;
  const line = isBox ? undefined : copyBytes(source, target, range);
  if (isHost(target) && isHost(source)) return hostCopy(target, source, range);
  return {
    ...commandCopy(target, source, range),
    ...(line !== undefined && target instanceof DeviceBuffer && source instanceof DeviceBuffer
      ? { line: { target, source, range: line } }
      : {}),
    accesses: () =>
      allAccesses([
        endAccess(source, false, { offset: line?.sourceOffset, bytes: line?.bytes }),
        endAccess(target, true, { offset: line?.targetOffset, bytes: line?.bytes }),
      ]),
  };
}

/** One command of the queue's. */
export function commandCopy(
  target: CopyEnd | Image,
  source: CopyEnd | Image,
  range: CopyLauncherRange,
): CopyWay & { readonly onHost: false } {
  checkCopy(target, source, range);
  checkContexts(target, source);
  return {
    onHost: false,
    enqueue: (queue, waitFor, _, counted) => counted.command(queue.enqueueCopy(target, source, { ...range, waitFor })),
    accesses: () => allAccesses([endAccess(source, false), endAccess(target, true)]),
  };
}

/** Throws for two pieces of memory that no queue reaches both of. */
export function checkContexts(target: CopyEnd | Image, source: CopyEnd | Image): void {
  if (isHost(target) || isHost(source)) return;
  if (target.context === source.context || target.context.equals(source.context)) return;
  throw wrongValue("target and source belong to two contexts, between which nothing can be copied");
}

/** No device has a part in it; but its turn comes like that of the others. */
function hostCopy(target: CopyEnd, source: CopyEnd, range: CopyLauncherRange): CopyWay {
  const boxed = Object.entries(range).find(([key, value]) => value !== undefined && !line.has(key));
  if (boxed !== undefined) {
    throw wrongValue(
      `options.${boxed[0]} is for copies from or to a device: on the host, copy between slices of HostViews`,
    );
  }
  const copy = (): void => {
    const { bytes, sourceOffset, targetOffset } = copyBytes(source, target, range);
    bytesOf(target, targetOffset, bytes).set(bytesOf(source, sourceOffset, bytes));
  };
  return {
    onHost: true,
    enqueue: (queue: CommandQueue, waitFor, name, counted): CommandEvent =>
      queue.enqueueHostFunction(counted.onHost(copy), { waitFor, label: name }),
    accesses: () => allAccesses([endAccess(source, false), endAccess(target, true)]),
  };
}

const line: ReadonlySet<string> = new Set(["bytes", "sourceOffset", "targetOffset"]);
