/** Number of bytes that copies and fills move, for bytes per second in statistics. */
import { type DeviceBuffer, DeviceView, HostView, Image, type SvmPointer } from "@cl/core";

import { type CopyLauncherEnd, copyBytes, type CopyLauncherRange } from "./copy-ends.js";

/** Returns the bytes that a copy moves. The ends must have been checked. */
export function copiedBytes(source: CopyLauncherEnd, target: CopyLauncherEnd, range: CopyLauncherRange): number {
  for (const end of [source, target]) if (end instanceof DeviceView || end instanceof HostView) return end.nbytes;
  const box = range.region;
  for (const end of [source, target]) if (end instanceof Image) return pixelBytes(end, box);
  if (box !== undefined) return volume(box);
  return copyBytes(source as DeviceBuffer, target as DeviceBuffer, range).bytes;
}

export function filledBytes(
  target: DeviceBuffer | SvmPointer | Image | DeviceView,
  range: { readonly offset?: number; readonly bytes?: number; readonly region?: unknown },
): number {
  if (target instanceof DeviceView) return target.nbytes;
  if (target instanceof Image) return pixelBytes(target, range.region);
  return range.bytes ?? target.size - (range.offset ?? 0);
}

function pixelBytes(image: Image, region: unknown): number {
  return volume(region ?? image.shape) * image.elementSize;
}

function volume(extents: unknown): number {
  return Array.from(extents as ArrayLike<number>).reduce((product, extent) => product * extent, 1);
}
