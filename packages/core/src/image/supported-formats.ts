/** Which formats a context has images of. */
import { checkFlags, checkInstance, checkInteger, checkOptions, OwnerCache } from "@cl/base";

import { MemFlags, MemObjectType } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { ImageFormat } from "./image-format.js";
import { constantName } from "../info/names.js";
import { bufferFlags, type BufferAccess } from "../memory/buffer-options.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { Context } from "../platform/context.js";

/** Of which images to list the formats. */
export interface SupportedFormatsOptions {
  /** What kernels will do with them; `"read-write"` if not said. */
  readonly access?: BufferAccess;
  /** Flags of `MemFlags` besides. */
  readonly flags?: number;
}

/**
 * The formats that images of a type can have in a context. Which ones there are depends on the type and on what kernels
 * will do with the image.
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
  const given = checkOptions(options, ["access", "flags"]);
  if (given.flags !== undefined) checkFlags(given.flags, "options.flags");
  checkImageSupport(context);
  return ask(handle, bufferFlags(given), type);
}

/** Refuses a context none of whose devices has images. */
export function checkImageSupport(context: Context): void {
  if (context.devices.some((device) => device.imageSupport)) return;
  const names = context.devices.map((device) => `'${device.name}'`).join(", ");
  throw new NotSupportedError("clCreateImage", `images are not supported by the context's devices (${names})`);
}

const known = new OwnerCache<Context, readonly ImageFormat[]>();

/** Refuses a format that the context has no such images of, and says which are near. */
export function checkSupported(context: Context, flags: number, type: number, format: ImageFormat): void {
  const formats = remembered(context, flags, type);
  if (formats.some((one) => one.equals(format))) return;
  const what = constantName(MemObjectType, type) ?? "images";
  const listed = (near: readonly ImageFormat[]): string => near.map((one) => one.toString()).join(", ");
  const sameOrder = formats.filter((one) => one.channelOrder === format.channelOrder);
  const sameType = formats.filter((one) => one.channelType === format.channelType);
  const near = [
    sameOrder.length > 0 ? `of the same order it has ${listed(sameOrder)}` : "",
    sameType.length > 0 ? `of the same type it has ${listed(sameType)}` : "",
  ].filter((text) => text !== "");
  throw new NotSupportedError(
    "clCreateImage",
    `this context has no ${what} of the format ${format.toString()} for such access; ${near.length > 0 ? near.join("; ") : `it has ${listed(formats)}`}`,
  );
}

/** Asked once for each context: making an image would otherwise ask each time. */
function remembered(context: Context, flags: number, type: number): readonly ImageFormat[] {
  return known.get(context, `${flags} ${type}`, () => ask(handleOf(context), flags, type));
}

function ask(context: Handle, flags: number, type: number): ImageFormat[] {
  // No flag about access means reading and writing, but NVIDIA's driver wants it said.
  const access = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY;
  const said = (flags & access) === 0 ? flags | MemFlags.READ_WRITE : flags;
  const numbers = native.supportedImageFormats(context, said, type);
  const formats: ImageFormat[] = [];
  for (let i = 0; i < numbers.length; i += 2) {
    formats.push(new ImageFormat(numbers[i] as number, numbers[i + 1] as number));
  }
  return formats;
}
