/** Copies of bytes and boxes between memory, and of pixels from and to images. */
import { type StridedCopy, stridedCopy, wrongValue } from "@cl/base";
import { type CommandEvent, type CommandQueue, type CopyEnd, DeviceBuffer, Image } from "@cl/core";
import { checkCopy } from "@cl/core/internal";

import { allAccesses } from "../list/access.js";
import { bytesOf, copyBytes, isHost, type CopyLauncherRange } from "./copy-ends.js";
import { type CopyPlan, endAccess } from "./copy-plan.js";
import { type DeviceMove, deviceMove, runOfBytes } from "./device-move.js";

export function memoryCopy(target: CopyEnd | Image, source: CopyEnd | Image, range: CopyLauncherRange): CopyPlan {
  if (target instanceof Image || source instanceof Image) return commandCopy(target, source, range);
  const isBox = range.region !== undefined;
  const byteRange = isBox ? undefined : copyBytes(source, target, range);
  if (isHost(target) && isHost(source)) return hostCopy(target, source, range);
  return {
    ...commandCopy(target, source, range),
    ...(byteRange !== undefined && target instanceof DeviceBuffer && source instanceof DeviceBuffer
      ? { recordable: { target, source, range: byteRange } }
      : {}),
    move: () => moveOf(target, source, byteRange === undefined ? boxOf(range) : runOfBytes(byteRange)),
    accesses: () =>
      allAccesses([
        endAccess(source, false, { offset: byteRange?.sourceOffset, bytes: byteRange?.bytes }),
        endAccess(target, true, { offset: byteRange?.targetOffset, bytes: byteRange?.bytes }),
      ]),
  };
}

/** Plans a copy with one command. */
export function commandCopy(
  target: CopyEnd | Image,
  source: CopyEnd | Image,
  range: CopyLauncherRange,
): CopyPlan & { readonly onHost: false } {
  checkCopy(target, source, range);
  checkContexts(target, source);
  return {
    onHost: false,
    move: () => (target instanceof Image || source instanceof Image ? "it uses an image" : onHostReason),
    enqueue: (queue, waitFor, _, statistics) =>
      statistics.command(queue.enqueueCopy(target, source, { ...range, waitFor })),
    accesses: () => allAccesses([endAccess(source, false), endAccess(target, true)]),
  };
}

/** Why a kernel cannot copy from or to the host. */
export const onHostReason = "it uses host memory";

function moveOf(target: CopyEnd, source: CopyEnd, copy: StridedCopy): DeviceMove | string {
  return isHost(target) || isHost(source) ? onHostReason : deviceMove(target, source, copy);
}

/** Returns a checked box of bytes as a copy. */
function boxOf({
  region = [0],
  sourceOrigin,
  sourcePitches,
  targetOrigin,
  targetPitches,
}: CopyLauncherRange): StridedCopy {
  const [bytes, rows = 1, slices = 1] = region;
  const side = (
    [x, y = 0, z = 0]: readonly [number, number?, number?] = [0],
    pitches: readonly [number?, number?] = [],
  ): { shape: number[]; strides: number[]; offset: number } => {
    const row = pitches[0] || bytes;
    const slice = pitches[1] || row * rows;
    return {
      shape: [slices, rows, bytes],
      strides: [slice, row, 1],
      offset: x + y * row + z * slice,
    };
  };
  return stridedCopy(side(sourceOrigin, sourcePitches), side(targetOrigin, targetPitches), 1);
}

/** Throws if two pieces of memory belong to different contexts. */
export function checkContexts(target: CopyEnd | Image, source: CopyEnd | Image): void {
  if (isHost(target) || isHost(source)) return;
  if (target.context === source.context || target.context.equals(source.context)) return;
  throw wrongValue("target and source must belong to the same context");
}

/** Plans a copy on the host, which runs in queue order. */
function hostCopy(target: CopyEnd, source: CopyEnd, range: CopyLauncherRange): CopyPlan {
  const boxed = Object.entries(range).find(([key, value]) => value !== undefined && !hostCopyOptions.has(key));
  if (boxed !== undefined) {
    throw wrongValue(
      `options.${boxed[0]} is only supported for copies from or to a device; on the host, copy slices of HostViews`,
    );
  }
  const copy = (): void => {
    const { bytes, sourceOffset, targetOffset } = copyBytes(source, target, range);
    bytesOf(target, targetOffset, bytes).set(bytesOf(source, sourceOffset, bytes));
  };
  return {
    onHost: true,
    move: () => onHostReason,
    enqueue: (queue: CommandQueue, waitFor, name, statistics): CommandEvent =>
      queue.enqueueHostFunction(statistics.onHost(copy), { waitFor, label: name }),
    accesses: () => allAccesses([endAccess(source, false), endAccess(target, true)]),
  };
}

const hostCopyOptions: ReadonlySet<string> = new Set(["bytes", "sourceOffset", "targetOffset"]);
