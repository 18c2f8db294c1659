/**
 * Images from arrays. An array's shape is written as in NumPy and in C, with the axis along which elements are neighbours
 * last; an image's shape begins with it. So the array's axes [z, y, x] are the image's [x, y, z], and nothing is moved.
 */
import {
  byteLengthOf,
  checkBoolean,
  checkInteger,
  checkOptions,
  isView,
  lengthOf,
  rangeError,
  typeError,
  withArticle,
} from "@cl/base";

import type { BufferAccess } from "../memory/buffer-options.js";
import { checkTypedArray, elementTypeName, elementTypeOf, hostBytes } from "../dtype/host-array.js";
import type { Context } from "../platform/context.js";
import type { TypedArray } from "../typed/index.js";
import type { ChannelOrderName, ChannelTypeName } from "./channel-layout.js";
import { Image } from "./image.js";
import { ImageFormat, usualOrders } from "./image-format.js";
import type { ImageShape } from "./image-options.js";

/** An array with a shape: its sizes, that of the axis along which elements are neighbours last. */
export interface ShapedArray<T extends TypedArray = TypedArray> {
  /** The elements, without gaps. */
  readonly data: T;
  /** `[height, width]` or `[depth, height, width]` or `[width]`; with several channels their number follows. */
  readonly shape: readonly number[];
}

/** What to make of an array. */
export interface ImageFromArrayOptions {
  /** How many elements make a pixel, 1 to 4: red, green, blue, alpha. With more than one, the last axis counts them. */
  readonly channels?: number;
  /** What kernels will do with it: read (`"r"`, if not said), write (`"w"`), or both (`"rw"`). */
  readonly mode?: "r" | "w" | "rw";
  /** True if kernels are to read integers as fractions of the largest one, 0…1 or -1…1. */
  readonly normalized?: boolean;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** The channel types of typed arrays: plain, and normalized. Halves are in a Float16Array, which not every engine has. */
const channelTypes: Readonly<Record<string, readonly [plain: ChannelTypeName, normalized?: ChannelTypeName]>> = {
  Int8Array: ["SIGNED_INT8", "SNORM_INT8"],
  Uint8Array: ["UNSIGNED_INT8", "UNORM_INT8"],
  Uint8ClampedArray: ["UNSIGNED_INT8", "UNORM_INT8"],
  Int16Array: ["SIGNED_INT16", "SNORM_INT16"],
  Uint16Array: ["UNSIGNED_INT16", "UNORM_INT16"],
  Int32Array: ["SIGNED_INT32"],
  Uint32Array: ["UNSIGNED_INT32"],
  Float16Array: ["HALF_FLOAT"],
  Float32Array: ["FLOAT"],
};

/** The channel types that {@link imageFromArray} may choose for an array. */
export type ChannelTypeOf<T extends TypedArray> = T extends Float32Array
  ? "FLOAT"
  : T extends Int8Array
    ? "SIGNED_INT8" | "SNORM_INT8"
    : T extends Uint8Array | Uint8ClampedArray
      ? "UNSIGNED_INT8" | "UNORM_INT8"
      : T extends Int16Array
        ? "SIGNED_INT16" | "SNORM_INT16"
        : T extends Uint16Array
          ? "UNSIGNED_INT16" | "UNORM_INT16"
          : T extends Int32Array
            ? "SIGNED_INT32"
            : T extends Uint32Array
              ? "UNSIGNED_INT32"
              : ChannelTypeName;

const modes: Readonly<Record<string, BufferAccess>> = { r: "read-only", w: "write-only", rw: "read-write" };

/**
 * An image with a copy of an array. The order of axes is turned round, as the image's x is the array's last axis: element
 * `[y][x]` of an array of shape `[height, width]` is the pixel at `(x, y)`. A typed array alone is one row.
 *
 * @example
 * ```ts
 * const data = Float32Array.of(0, 1, 2, 3, 4, 5);
 * const image = imageFromArray(context, { data, shape: [2, 3] }); // two rows of three
 * console.log(image.shape); // [ 3, 2 ]
 * ```
 */
export function imageFromArray<T extends TypedArray>(
  context: Context,
  array: T | ShapedArray<T>,
  options?: ImageFromArrayOptions,
): Image<ChannelTypeOf<T>> {
  const given = checkOptions(options, ["channels", "mode", "normalized", "label"]);
  const { data, shape } = shaped(array);
  const normalized = checkBoolean(given.normalized, "options.normalized", false);
  const channels = given.channels === undefined ? 1 : checkInteger(given.channels, "options.channels", 1, 4);
  if (byteLengthOf(hostBytes(data, "array", true)) === 0) {
    throw rangeError("array", "not empty (OpenCL has no empty images)", data);
  }
  const mode: unknown = given.mode === undefined ? "r" : given.mode;
  if (typeof mode !== "string" || !Object.hasOwn(modes, mode)) {
    throw typeError("options.mode", '"r", "w" or "rw"', mode);
  }
  const type = channelType(data, normalized) as ChannelTypeOf<T>;
  const format = new ImageFormat(usualOrders[channels] as ChannelOrderName, type);
  return new Image(context, {
    format,
    shape: imageShape(shape, channels, lengthOf(data)),
    host: data,
    hostPointer: "copy",
    access: modes[mode] as BufferAccess,
    ...(given.label === undefined ? {} : { label: given.label }),
  });
}

function shaped(array: TypedArray | ShapedArray): { data: TypedArray; shape: readonly number[] | undefined } {
  if (isView(array)) return { data: checkTypedArray(array, "array"), shape: undefined };
  if (typeof array !== "object" || array === null) throw typeError("array", "a typed array or { data, shape }", array);
  const { data, shape } = array;
  checkTypedArray(data, "array.data");
  if (!Array.isArray(shape)) throw typeError("array.shape", "an array of numbers", shape);
  return { data, shape: Array.from(shape as readonly unknown[], (n, i) => checkInteger(n, `array.shape[${i}]`, 1)) };
}

function channelType(data: TypedArray, normalized: boolean): ChannelTypeName {
  const name = elementTypeName(elementTypeOf(data));
  const [plain, norm] = channelTypes[name] ?? [];
  if (plain === undefined) {
    const hint = name === "Float64Array" ? "; convert it with Float32Array.from(array)" : "";
    throw typeError("array", `of elements that image channels can be, of 8 to 32 bits${hint}`, data);
  }
  if (!normalized) return plain;
  if (norm !== undefined) return norm;
  throw typeError(
    "options.normalized",
    `false, as there are no normalized channels for ${withArticle(name)}`,
    normalized,
  );
}

function imageShape(given: readonly number[] | undefined, channels: number, length: number): ImageShape {
  const axes = given ?? (channels === 1 ? [length] : [length / channels, channels]);
  if (given === undefined && length % channels !== 0) {
    throw rangeError("options.channels", `a divisor of the array's ${length} elements`, channels);
  }
  const pixels = axes.reduce((product, axis) => product * axis, 1);
  if (pixels !== length) throw rangeError("array.shape", `that of the ${length} elements of the array`, axes);
  const sizes = channels === 1 ? axes : axes.slice(0, -1);
  if (channels > 1 && axes.at(-1) !== channels) {
    throw rangeError("array.shape", `one that ends with the ${channels} channels`, axes);
  }
  if (sizes.length < 1 || sizes.length > 3) {
    throw rangeError("array.shape", `one of 1 to 3 axes${channels === 1 ? "" : " and the channels"}`, axes);
  }
  return sizes.toReversed() as unknown as ImageShape;
}
