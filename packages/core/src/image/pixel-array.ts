/** The typed arrays that hold pixels: which ones suit a format, and what is left of a box in them. */
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

/** The typed array of an image's channels; of a format that only its vendor knows, its bytes. */
export function arrayTypeOf(image: Image): ElementType {
  try {
    return image.format.arrayType;
  } catch {
    return Uint8Array;
  }
}

/** Elements of another type would be reinterpreted. Bytes say nothing about elements, so they always pass. */
export function checkPixels(image: Image, array: TypedArray, name: string): void {
  const own = arrayTypeOf(image);
  const given = elementTypeOf(array);
  const code = elementCodes.get(given) ?? 0;
  if (code === elementCodes.get(own) || code === elementCodes.get(Uint8Array)) return;
  if (image.format.channelType === ChannelType.HALF_FLOAT && elementTypeName(given) === "Float16Array") return;
  throw wrongType(
    `${name} must be ${withArticle(elementTypeName(own))}, as ${image.format.toString()} pixels are, received ${withArticle(elementTypeName(given))}; bytes pass as a Uint8Array`,
  );
}

/** An array to read pixels into. */
export function checkInto<T extends TypedArray>(image: Image, value: T): T {
  checkPixels(image, checkTypedArray(value, "options.into"), "options.into");
  return value;
}
