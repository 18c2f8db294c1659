/** Sources, targets and directions of copies. */
import { checkInteger, outOfRange, typeError } from "@cl/base";
import { type CopyEnd, type CopyOptions, DeviceBuffer, DeviceView, HostView, Image, SvmPointer } from "@cl/core";

/** Source or target of a copy launcher: memory, an image, or a view of memory. */
export type CopyLauncherEnd = CopyEnd | Image | DeviceView | HostView;

/**
 * Range to copy: consecutive bytes, or a box with `region`. Units are bytes, except for origins and regions of images, which
 * are in pixels. For a part of a view, use its slices.
 */
export type CopyLauncherRange = Omit<CopyOptions, "waitFor">;

/** Properties of a {@link CopyLauncherRange}. */
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

/** Direction of a copy. */
export type CopyDirection = `${"host" | "device"} to ${"host" | "device"}`;

/** Returns the direction of a copy. Throws if an end cannot be copied. */
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

/** Whether this is host memory, but not a view of it. */
export function isHost(end: unknown): end is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(end) || end instanceof ArrayBuffer || end instanceof SharedArrayBuffer;
}

/** Returns the checked offsets and size of a copy. */
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
    throw outOfRange(`the source has ${available} bytes and the target has room for ${room}; set options.bytes`);
  }
  const bytes = checkInteger(range.bytes ?? room, "options.bytes", 0, Math.min(available, room));
  return { sourceOffset, targetOffset, bytes };
}

/** Returns an end of a copy or fill with other memory. */
export function withMemory<T extends CopyLauncherEnd>(end: T, replace: <M>(memory: M) => M): T {
  if (!(end instanceof DeviceView)) return replace(end);
  const { dtype, shape, strides, offset } = end;
  return new DeviceView(replace(end.memory), { dtype, shape, strides, offset }) as DeviceView & T;
}

function sizeOf(end: CopyEnd): number {
  return end instanceof DeviceBuffer || end instanceof SvmPointer ? end.size : end.byteLength;
}

/** Returns bytes of host memory. */
export function bytesOf(host: CopyEnd, offset: number, bytes: number): Uint8Array {
  if (ArrayBuffer.isView(host)) return new Uint8Array(host.buffer, host.byteOffset + offset, bytes);
  return new Uint8Array(host as unknown as ArrayBuffer, offset, bytes);
}
