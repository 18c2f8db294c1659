/** How large the images of a context can be: as large as any of its devices allows. */
import { outOfRange, OwnerCache, rangeError } from "@cl/base";

import { MemObjectType } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { constantName } from "../info/names.js";
import { limitsOf } from "../memory/buffer-limits.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";

/** Pixels along x, y and z; what a type of image has not is 1. Of arrays the last one that it has counts images. */
export type Extent = readonly [x: number, y: number, z: number];

/** How many numbers the shape of an image has, by its type. */
export const dimensionsOf: Readonly<Record<number, 1 | 2 | 3>> = {
  [MemObjectType.IMAGE1D]: 1,
  [MemObjectType.IMAGE1D_BUFFER]: 1,
  [MemObjectType.IMAGE1D_ARRAY]: 2,
  [MemObjectType.IMAGE2D]: 2,
  [MemObjectType.IMAGE2D_ARRAY]: 3,
  [MemObjectType.IMAGE3D]: 3,
};

const known = new OwnerCache<Context, Extent>();

/** Refuses images larger than any device of the context can have. */
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
      `options.shape: an image of ${bytes} bytes is larger than the ${maxBytes} bytes that the context's devices can allocate at once`,
    );
  }
}

function limitsOfType(context: Context, type: number): Extent {
  return known.get(context, String(type), () => askLimits(context, type));
}

function askLimits(context: Context, type: number): Extent {
  const devices = context.devices.filter((device) => device.imageSupport);
  const most = (ask: (device: Device) => number | bigint): number =>
    Math.max(...devices.map((one) => Number(ask(one))));
  const width = (): number => most((device) => device.image2dMaxWidth);
  const height = (): number => most((device) => device.image2dMaxHeight);
  const images = (): number => most((device) => device.imageMaxArraySize);
  switch (type) {
    case MemObjectType.IMAGE1D:
      return [width(), 1, 1];
    case MemObjectType.IMAGE1D_BUFFER:
      return [most((device) => device.imageMaxBufferSize), 1, 1];
    case MemObjectType.IMAGE1D_ARRAY:
      return [width(), images(), 1];
    case MemObjectType.IMAGE2D:
      return [width(), height(), 1];
    case MemObjectType.IMAGE2D_ARRAY:
      return [width(), height(), images()];
    default:
      return [
        most((device) => device.image3dMaxWidth),
        most((device) => device.image3dMaxHeight),
        most((device) => device.image3dMaxDepth),
      ];
  }
}

/**
 * What the rows of a 2-D image over a buffer are a multiple of, in pixels. Throws where no device of the context has such
 * images.
 */
export function pitchAlignmentOf(context: Context): number {
  const alignment = Math.max(0, ...context.devices.map(alignmentOf));
  if (alignment > 0) return alignment;
  throw new NotSupportedError(
    "clCreateImage",
    "a 2-D image over a buffer needs cl_khr_image2d_from_buffer, which none of the context's devices has",
  );
}

/** 0 for a device without such images; also where the query is newer than the device. */
function alignmentOf(device: Device): number {
  try {
    return device.imagePitchAlignment;
  } catch {
    return 0;
  }
}
