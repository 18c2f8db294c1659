/** Which images suit a parameter: a kernel that reads another kind of image than it was given reads beyond its pixels. */
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

/** The kind of image that a parameter takes, a value of `MemObjectType`; 0 where that is not known, or it takes none. */
export function imageObjectType({ kind, text }: ParameterType): number {
  if (kind !== "image") return 0;
  const [, name = ""] = /\b(image\dd(?:_array|_buffer)?)(?:_msaa)?(?:_depth)?_t\b/.exec(text) ?? [];
  return objectTypes[name] ?? 0;
}

/** True if a value can be passed to a parameter that takes images of a type of object, or of any if that is 0. */
export function takesImage({ text }: ParameterType, objectType: number, value: unknown): value is MemoryObject {
  if (!(value instanceof MemoryObject)) return false;
  const type = value.objectType;
  if (type === MemObjectType.BUFFER || type === MemObjectType.PIPE) return false;
  if (objectType !== 0 && type !== objectType) return false;
  // Depths are read as one number, colors as four.
  const isDepth = value instanceof Image && value.format.channelOrder === ChannelOrder.DEPTH;
  return !text.includes("_depth_t") || isDepth || !(value instanceof Image);
}
