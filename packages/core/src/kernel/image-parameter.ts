/** Checks of image arguments. A kernel that receives another type of image than it declares reads out of bounds. */
import { ChannelOrder, MemObjectType } from "../binding/constants.js";
import { Image } from "../image/image.js";
import { MemoryObject } from "../memory/memory-object.js";
import type { ParameterType } from "./kernel-type.js";

const objectTypes: Readonly<Record<string, number>> = {
  image1d: MemObjectType.IMAGE1D,
  image1d_buffer: MemObjectType.IMAGE1D_BUFFER,
  image1d_array: MemObjectType.IMAGE1D_ARRAY,
  image2d: MemObjectType.IMAGE2D,
  image2d_array: MemObjectType.IMAGE2D_ARRAY,
  image3d: MemObjectType.IMAGE3D,
};

/** Returns the `MemObjectType` of a parameter's image type; 0 if it is unknown or not an image. */
export function imageObjectType({ kind, text }: ParameterType): number {
  if (kind !== "image") return 0;
  const [, name = ""] = /\b(image\dd(?:_array|_buffer)?)(?:_msaa)?(?:_depth)?_t\b/.exec(text) ?? [];
  return objectTypes[name] ?? 0;
}

/** Returns whether a value can be passed to an image parameter of an object type; 0 accepts any image. */
export function takesImage({ text }: ParameterType, objectType: number, value: unknown): value is MemoryObject {
  if (!(value instanceof MemoryObject)) return false;
  const type = value.objectType;
  if (type === MemObjectType.BUFFER || type === MemObjectType.PIPE) return false;
  if (objectType !== 0 && type !== objectType) return false;
  // Depth images are read as one number, color images as four.
  const isDepth = value instanceof Image && value.format.channelOrder === ChannelOrder.DEPTH;
  return !text.includes("_depth_t") || isDepth || !(value instanceof Image);
}
