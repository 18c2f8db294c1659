/** What copies are between, and which way they go. */
import { checkInteger, outOfRange, typeError } from "@cl/base";
import { type CopyEnd, type CopyOptions, DeviceBuffer, DeviceView, HostView, Image, SvmPointer } from "@cl/core";

/** What a copy launcher can copy from and to: memory, images, and views of memory. */
export type CopyLauncherEnd = CopyEnd | Image | DeviceView | HostView;

/**
 * What to copy: a run of bytes, or with `region` a box; everything in bytes, but origins and the region of images in
 * pixels. Views have their slices for that.
 */
export type CopyLauncherRange = Omit<CopyOptions, "waitFor">;

/** The properties of a {@link CopyLauncherRange}. */
export const copyRangeNames = [
  "region",
  "sourceOrigin",
  "targetOrigin",
  "sourcePitches",
  "targetPitches",
  "bytes",
  "sourceOffset",
  "targetOffset",
] as const;

/** Which way a copy goes. */
export type CopyDirection = `${"host" | "device"} to ${"host" | "device"}`;

/** The direction of a copy; throws what is nothing to copy. */
export function directionOf(source: CopyLauncherEnd, target: CopyLauncherEnd): CopyDirection {
  return `${sideOf(source, "source")} to ${sideOf(target, "target")}`;
}

function sideOf(end: unknown, name: string): "host" | "device" {
  if (end instanceof HostView || isHost(end)) return "host";
  const device = [DeviceBuffer, SvmPointer, Image, DeviceView].some((type) => end instanceof type);
  if (device) return "device";
  throw typeError(
    name,
    "a DeviceBuffer, shared virtual memory, a typed array or an ArrayBuffer, an Image, a DeviceView or a HostView",
    end,
  );
}

/** True for memory of the host, as against views of it. */
export function isHost(end: unknown): end is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(end) || end instanceof ArrayBuffer || end instanceof SharedArrayBuffer;
}

/** The bytes of a copy, checked against both sides as they are now. */
export function copyBytes(
  source: CopyEnd,
  target: CopyEnd,
  range: { readonly sourceOffset?: unknown; readonly targetOffset?: unknown; readonly bytes?: unknown },
): { readonly sourceOffset: number; readonly targetOffset: number; readonly bytes: number } {
  const [from, to] = [sizeOf(source), sizeOf(target)];
  const sourceOffset = checkInteger(range.sourceOffset ?? 0, "options.sourceOffset", 0, from);
  const targetOffset = checkInteger(range.targetOffset ?? 0, "options.targetOffset", 0, to);
  const [available, room] = [from - sourceOffset, to - targetOffset];
  if (range.bytes === undefined && available !== room) {
    throw outOfRange(
      `the source has ${available} bytes to copy and the target room for ${room}: say how many with options.bytes`,
    );
  }
  const bytes = checkInteger(range.bytes ?? room, "options.bytes", 0, Math.min(available, room));
  return { sourceOffset, targetOffset, bytes };
}

function sizeOf(end: CopyEnd): number {
  return end instanceof DeviceBuffer || end instanceof SvmPointer ? end.size : end.byteLength;
}

/** The bytes of host memory. */
export function bytesOf(host: CopyEnd, offset: number, bytes: number): Uint8Array {
  if (ArrayBuffer.isView(host)) return new Uint8Array(host.buffer, host.byteOffset + offset, bytes);
  return new Uint8Array(host as unknown as ArrayBuffer, offset, bytes);
}
