/** The image formats that a context supports. */
import { checkFlags, checkInstance, checkInteger, checkOptions, OwnerCache } from "@cl/base";

import { MemFlags, MemObjectType } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { ImageFormat } from "./image-format.js";
import { constantName } from "../info/names.js";
import { bufferFlags, type BufferAccess } from "../memory/buffer-options.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { Context } from "../platform/context.js";

/** Options of {@link supportedImageFormats}. */
export interface SupportedFormatsOptions {
  /**
   * How kernels access the images.
   *
   * @defaultValue `"read-write"`
   */
  readonly access?: BufferAccess;
  /** Additional flags of `MemFlags`. */
  readonly flags?: number;
}

/**
 * Returns the formats that a context supports for images of a type and access. Throws if no device of the context
 * supports images.
 *
 * @example
 * ```ts
 * const formats = supportedImageFormats(context, MemObjectType.IMAGE3D, { access: "read-only" });
 * ```
 */
export function supportedImageFormats(
  context: Context,
  type: MemObjectType = MemObjectType.IMAGE2D,
  options?: SupportedFormatsOptions,
): ImageFormat[] {
  const handle = handleOf(checkInstance(context, Context, "context"));
  checkInteger(type, "type", MemObjectType.IMAGE2D, MemObjectType.IMAGE1D_BUFFER);
  const checked = checkOptions(options, ["access", "flags"]);
  if (checked.flags !== undefined) checkFlags(checked.flags, "options.flags");
  checkImageSupport(context);
  return queryFormats(handle, bufferFlags(checked), type);
}

/** Throws if no device of the context supports images. */
export function checkImageSupport(context: Context): void {
  if (context.devices.some((device) => device.imageSupport)) return;
  const names = context.devices.map((device) => `'${device.name}'`).join(", ");
  throw new NotSupportedError("clCreateImage", `images are not supported by the context's devices (${names})`);
}

const formatCache = new OwnerCache<Context, readonly ImageFormat[]>();

/** Throws if the context does not support the format; the message lists similar formats. */
export function checkSupported(context: Context, flags: number, type: number, format: ImageFormat): void {
  const formats = cachedFormats(context, flags, type);
  if (formats.some((supported) => supported.equals(format))) return;
  const what = constantName(MemObjectType, type) ?? "images";
  const list = (items: readonly ImageFormat[]): string => items.map(String).join(", ");
  const sameOrder = formats.filter(({ channelOrder }) => channelOrder === format.channelOrder);
  const sameType = formats.filter(({ channelType }) => channelType === format.channelType);
  const similar = [
    sameOrder.length > 0 ? `supported with the same order: ${list(sameOrder)}` : "",
    sameType.length > 0 ? `supported with the same type: ${list(sameType)}` : "",
  ].filter((text) => text !== "");
  throw new NotSupportedError(
    "clCreateImage",
    `the format ${format.toString()} is not supported by this context for ${what} with this access; ${similar.length > 0 ? similar.join("; ") : `supported: ${list(formats)}`}`,
  );
}

/** Returns the supported formats, which are queried once per context. */
function cachedFormats(context: Context, flags: number, type: number): readonly ImageFormat[] {
  return formatCache.get(context, `${flags} ${type}`, () => queryFormats(handleOf(context), flags, type));
}

function queryFormats(context: Handle, flags: number, type: number): ImageFormat[] {
  // READ_WRITE is the default, but NVIDIA's driver requires an explicit access flag.
  const access = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY;
  const explicit = (flags & access) === 0 ? flags | MemFlags.READ_WRITE : flags;
  const numbers = native.supportedImageFormats(context, explicit, type);
  const formats: ImageFormat[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    formats.push(new ImageFormat(numbers[i] as number, numbers[i + 1] as number));
  }
  return formats;
}
