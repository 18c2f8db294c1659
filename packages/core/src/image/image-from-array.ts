/**
 * Images from arrays. The contiguous axis is the last one in an array's shape, as in NumPy and C, but the first one in
 * an image's shape: the array's axes [z, y, x] are the image's [x, y, z]. The memory layout is the same.
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
import { defaultOrders, ImageFormat } from "./image-format.js";
import type { ImageShape } from "./image-options.js";

/** A typed array with a shape, in C order. */
export interface ShapedArray<T extends TypedArray = TypedArray> {
  /** The elements, contiguous. */
  readonly data: T;
  /**
   * `[width]`, `[height, width]` or `[depth, height, width]`, followed by the number of channels if there are several.
   */
  readonly shape: readonly number[];
}

/** Options of {@link imageFromArray}. */
export interface ImageFromArrayOptions {
  /**
   * Number of channels per pixel, 1 to 4: red, green, blue, alpha. If greater than 1, it is the extent of the last
   * axis.
   *
   * @defaultValue 1
   */
  readonly channels?: number;
  /**
   * Access of kernels: read (`"r"`), write (`"w"`), or both (`"rw"`).
   *
   * @defaultValue `"r"`
   */
  readonly mode?: "r" | "w" | "rw";
  /**
   * Whether kernels read integers as normalized values, 0…1 or -1…1.
   *
   * @defaultValue `false`
   */
  readonly normalized?: boolean;
  /** A name shown in errors and traces. */
  readonly label?: string;
}

/** The channel types of typed arrays: plain and normalized. Float16Array is not supported by every engine. */
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
 * Creates an image with a copy of an array. The axes are reversed: element `[y][x]` of an array of shape `[height,
 * width]` is the pixel at `(x, y)`. A plain typed array becomes one row.
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
  const checked = checkOptions(options, ["channels", "mode", "normalized", "label"]);
  const { data, shape } = dataAndShape(array);
  const normalized = checkBoolean(checked.normalized, "options.normalized", false);
  const channels = checked.channels === undefined ? 1 : checkInteger(checked.channels, "options.channels", 1, 4);
  if (byteLengthOf(hostBytes(data, "array", true)) === 0) {
    throw rangeError("array", "not empty (OpenCL has no empty images)", data);
  }
  const mode: unknown = checked.mode === undefined ? "r" : checked.mode;
  if (typeof mode !== "string" || !Object.hasOwn(modes, mode)) {
    throw typeError("options.mode", '"r", "w" or "rw"', mode);
  }
  const type = channelType(data, normalized) as ChannelTypeOf<T>;
  const format = new ImageFormat(defaultOrders[channels] as ChannelOrderName, type);
  return new Image(context, {
    format,
    shape: imageShape(shape, channels, lengthOf(data)),
    host: data,
    hostPointer: "copy",
    access: modes[mode] as BufferAccess,
    ...(checked.label === undefined ? {} : { label: checked.label }),
  });
}

function dataAndShape(array: TypedArray | ShapedArray): { data: TypedArray; shape: readonly number[] | undefined } {
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
    throw typeError("array", `an array of 8 to 32-bit elements that image channels support${hint}`, data);
  }
  if (!normalized) return plain;
  if (norm !== undefined) return norm;
  throw typeError(
    "options.normalized",
    `false, because ${withArticle(name)} has no normalized channel type`,
    normalized,
  );
}

function imageShape(shape: readonly number[] | undefined, channels: number, length: number): ImageShape {
  const axes = shape ?? (channels === 1 ? [length] : [length / channels, channels]);
  if (shape === undefined && length % channels !== 0) {
    throw rangeError("options.channels", `a divisor of the array's ${length} elements`, channels);
  }
  const pixels = axes.reduce((product, axis) => product * axis, 1);
  if (pixels !== length) {
    throw rangeError("array.shape", `a shape of ${length} elements, the length of array.data`, axes);
  }
  const sizes = channels === 1 ? axes : axes.slice(0, -1);
  if (channels > 1 && axes.at(-1) !== channels) {
    throw rangeError("array.shape", `a shape whose last extent is the ${channels} channels`, axes);
  }
  if (sizes.length < 1 || sizes.length > 3) {
    throw rangeError("array.shape", `a shape of 1 to 3 axes${channels === 1 ? "" : " and the channels"}`, axes);
  }
  return sizes.toReversed() as unknown as ImageShape;
}
