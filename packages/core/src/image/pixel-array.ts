/** Typed arrays for pixels. */
import { withArticle, wrongType } from "@cl/base";

import { ChannelType } from "../binding/constants.js";
import {
  checkTypedArray,
  elementCodes,
  elementTypeName,
  elementTypeOf,
  type ElementType,
} from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";
import type { Image } from "./image.js";

/** Returns the typed array class for an image's channels; `Uint8Array` for a vendor format. */
export function arrayTypeOf(image: Image): ElementType {
  try {
    return image.format.arrayType;
  } catch {
    return Uint8Array;
  }
}

/** Throws if an array's element type does not match the image. A `Uint8Array` always matches, as raw bytes. */
export function checkPixels(image: Image, array: TypedArray, name: string): void {
  const expected = arrayTypeOf(image);
  const received = elementTypeOf(array);
  const code = elementCodes.get(received) ?? 0;
  if (code === elementCodes.get(expected) || code === elementCodes.get(Uint8Array)) return;
  if (image.format.channelType === ChannelType.HALF_FLOAT && elementTypeName(received) === "Float16Array") return;
  throw wrongType(
    `${name} must be ${withArticle(elementTypeName(expected))} for ${image.format.toString()} pixels, received ${withArticle(elementTypeName(received))}; pass a Uint8Array for raw bytes`,
  );
}

/** Checks an array to read pixels into. */
export function checkInto<T extends TypedArray>(image: Image, value: T): T {
  checkPixels(image, checkTypedArray(value, "options.into"), "options.into");
  return value;
}
