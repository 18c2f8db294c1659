/** Size limits of images: the largest limits of a context's devices. */
import { outOfRange, OwnerCache, rangeError } from "@cl/base";

import { MemObjectType } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { constantName } from "../info/names.js";
import { limitsOf } from "../memory/buffer-limits.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";

/**
 * Extent in pixels along x, y and z; unused dimensions are 1. The last used dimension of an image array counts images.
 */
export type Extent = readonly [x: number, y: number, z: number];

/** Number of dimensions of an image's shape, by its type. */
export const dimensionsOf: Readonly<Record<number, 1 | 2 | 3>> = {
  [MemObjectType.IMAGE1D]: 1,
  [MemObjectType.IMAGE1D_BUFFER]: 1,
  [MemObjectType.IMAGE1D_ARRAY]: 2,
  [MemObjectType.IMAGE2D]: 2,
  [MemObjectType.IMAGE2D_ARRAY]: 3,
  [MemObjectType.IMAGE3D]: 3,
};

const limitCache = new OwnerCache<Context, Extent>();

/** Throws if an image is larger than every device of the context supports. */
export function checkExtent(context: Context, type: number, extent: Extent, bytes: number): void {
  const limits = limitsOfType(context, type);
  for (const [i, length] of extent.entries()) {
    const limit = limits[i] as number;
    if (length <= limit) continue;
    const what = constantName(MemObjectType, type) ?? "image";
    throw rangeError(`options.shape[${i}]`, `at most ${limit}, the limit of the context's devices for ${what}`, length);
  }
  const { maxBytes } = limitsOf(context);
  if (bytes > maxBytes) {
    throw outOfRange(
      `options.shape must be of at most ${maxBytes} bytes, the largest allocation that the context's devices support, received ${bytes} bytes`,
    );
  }
}

function limitsOfType(context: Context, type: number): Extent {
  return limitCache.get(context, String(type), () => queryLimits(context, type));
}

function queryLimits(context: Context, type: number): Extent {
  const devices = context.devices.filter((device) => device.imageSupport);
  const max = (limit: (device: Device) => number | bigint): number =>
    Math.max(...devices.map((device) => Number(limit(device))));
  const width = (): number => max((device) => device.image2dMaxWidth);
  const height = (): number => max((device) => device.image2dMaxHeight);
  const images = (): number => max((device) => device.imageMaxArraySize);
  switch (type) {
    case MemObjectType.IMAGE1D:
      return [width(), 1, 1];
    case MemObjectType.IMAGE1D_BUFFER:
      return [max((device) => device.imageMaxBufferSize), 1, 1];
    case MemObjectType.IMAGE1D_ARRAY:
      return [width(), images(), 1];
    case MemObjectType.IMAGE2D:
      return [width(), height(), 1];
    case MemObjectType.IMAGE2D_ARRAY:
      return [width(), height(), images()];
    default:
      return [
        max((device) => device.image3dMaxWidth),
        max((device) => device.image3dMaxHeight),
        max((device) => device.image3dMaxDepth),
      ];
  }
}

/**
 * Returns the row pitch alignment of 2-D images over a buffer, in pixels. Throws if no device of the context supports
 * such images.
 */
export function pitchAlignmentOf(context: Context): number {
  const alignment = Math.max(0, ...context.devices.map(alignmentOf));
  if (alignment > 0) return alignment;
  throw new NotSupportedError(
    "clCreateImage",
    "a 2-D image over a buffer requires cl_khr_image2d_from_buffer, which no device of the context supports",
  );
}

/** Returns 0 for a device without such images, or on which the query fails because it is newer than the device. */
function alignmentOf(device: Device): number {
  try {
    return device.imagePitchAlignment;
  } catch {
    return 0;
  }
}
