/**
 * Fill colors: red, green, blue and alpha as a kernel would write them, independent of the channel order. Values are
 * checked here, because drivers differ in whether they clamp, wrap or ignore values out of range.
 */
import { describe, outOfRange, rangeError, typeError } from "@cl/base";

import { ChannelOrder } from "../binding/constants.js";
import { getFloat16Bits } from "../dtype/half.js";
import { type Channel, channelsOf, type ChannelTypeLayout, typeLayoutOf } from "./channel-layout.js";
import type { ImageFormat } from "./image-format.js";

/**
 * A color: `[red, green, blue, alpha]`, or one number for depth images. Values are 0 to 1 (-1 to 1 if signed) for
 * normalized formats, integers in range for integer formats, and any numbers for floats. Channels that the format lacks
 * are ignored.
 */
export type Color = readonly [red: number, green: number, blue: number, alpha: number] | ArrayLike<number> | number;

/** Returns a color as four numbers. Throws if the format cannot represent it. */
export function checkColor(format: ImageFormat, color: Color, name = "color"): readonly number[] {
  const depth = format.channelOrder === ChannelOrder.DEPTH;
  if (depth) {
    if (typeof color !== "number") throw typeError(name, "a number for a depth image", color);
    return [checkValue(format, color, name), 0, 0, 0];
  }
  const values: unknown = color;
  const isList = Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView));
  if (!isList || (values as ArrayLike<unknown>).length !== 4) {
    throw typeError(name, "four numbers, [red, green, blue, alpha]", values);
  }
  return Array.from(values as ArrayLike<unknown>, (value, i) => checkValue(format, value, `${name}[${i}]`));
}

function checkValue(format: ImageFormat, value: unknown, name: string): number {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  const { kind, bits } = typeLayoutOf(format.channelType) as ChannelTypeLayout;
  const suffix = `for ${format.toString()} pixels`;
  switch (kind) {
    case "unorm":
      if (!(value >= 0 && value <= 1)) throw rangeError(name, `from 0 to 1 ${suffix}`, value);
      return value;
    case "snorm":
      if (!(value >= -1 && value <= 1)) throw rangeError(name, `from -1 to 1 ${suffix}`, value);
      return value;
    case "int":
      return checkChannelInteger(value, -(2 ** ((bits as number) - 1)), 2 ** ((bits as number) - 1) - 1, name, suffix);
    case "uint":
      return checkChannelInteger(value, 0, 2 ** (bits as number) - 1, name, suffix);
    case "float": {
      const max = bits === 16 ? 65504 : 3.4028234663852886e38;
      if (Number.isFinite(value) && Math.abs(value) > max) {
        throw rangeError(name, `from -${max} to ${max} ${suffix}`, value);
      }
      return value;
    }
    default:
      return kind satisfies never;
  }
}

function checkChannelInteger(value: number, min: number, max: number, name: string, suffix: string): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw outOfRange(`${name} must be an integer from ${min} to ${max} ${suffix}, received ${describe(value)}`);
}

/** Returns the 16 bytes for `clEnqueueFillImage`: floats, ints or unsigned ints. */
export function fillColor(format: ImageFormat, color: readonly number[]): Float32Array | Int32Array | Uint32Array {
  if (format.kind === "int") return Int32Array.from(color);
  if (format.kind === "uint") return Uint32Array.from(color);
  const layout = typeLayoutOf(format.channelType) as ChannelTypeLayout;
  const isSrgb = format.orderName.startsWith("s");
  return Float32Array.from(color, (value, i) => (isSrgb && i < 3 ? value : quantize(layout, value, i)));
}

/**
 * Returns a normalized value that is converted to the nearest integer code both by drivers that round and by those that
 * truncate, such as PoCL: a quarter of a step further from zero than the code's exact value.
 */
function quantize({ kind, bits: bitsOf }: ChannelTypeLayout, value: number, channel: number): number {
  const bits = typeof bitsOf === "number" ? bitsOf : (bitsOf[channel] ?? 0);
  // With more than 16 bits, a float has no value between two codes.
  if (kind === "float" || bits === 0 || bits > 16) return value;
  const max = 2 ** (kind === "snorm" ? bits - 1 : bits) - 1;
  const nearest = roundToEven(value * max);
  return Math.max(-1, Math.min(1, (nearest + Math.sign(nearest) / 4) / max));
}

/** Returns the bytes of a pixel of the color, as a kernel would write it. */
export function pixelBytes(format: ImageFormat, color: readonly number[]): Uint8Array<ArrayBuffer> {
  const layout = typeLayoutOf(format.channelType) as ChannelTypeLayout;
  const channels = channelsOf(format.channelOrder) as readonly Channel[];
  const isSrgb = format.orderName.startsWith("s");
  const values = channels.map((channel) => {
    const value = channelValue(channel, color);
    return isSrgb && "rgb".includes(channel) ? toSRGB(value) : value;
  });
  const bytes = new Uint8Array(format.itemSize);
  const view = new DataView(bytes.buffer);
  if (typeof layout.bits !== "number") {
    // Multiplied instead of shifted, because shifts produce signed 32-bit numbers.
    const packed = layout.bits.reduce((sum, bits, i) => sum * 2 ** bits + code({ ...layout, bits }, values[i] ?? 0), 0);
    if (layout.bytes === 2) view.setUint16(0, packed, true);
    else view.setUint32(0, packed, true);
    return bytes;
  }
  for (const [i, value] of values.entries()) {
    const at = i * layout.bytes;
    const integer = layout.kind === "float" && layout.bits === 32 ? undefined : code(layout, value);
    if (integer === undefined) view.setFloat32(at, value, true);
    else if (layout.bytes === 1) view.setInt8(at, integer);
    else if (layout.bytes === 2) view.setInt16(at, integer, true);
    else view.setInt32(at, integer, true);
  }
  return bytes;
}

/** Returns a channel's value of a color. Intensity, luminance and depth use the red value. */
function channelValue(channel: Channel, [red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]): number {
  switch (channel) {
    case "r":
    case "i":
    case "l":
    case "d":
      return red;
    case "g":
      return green;
    case "b":
      return blue;
    case "a":
      return alpha;
    case "x":
      return 0;
    default:
      return channel satisfies never;
  }
}

/** Returns the integer code of a value; the bits of a half. */
function code({ kind, bits }: ChannelTypeLayout, value: number): number {
  const width = bits as number;
  if (kind === "unorm") return roundToEven(value * (2 ** width - 1));
  if (kind === "snorm") return roundToEven(value * (2 ** (width - 1) - 1));
  return kind === "float" ? getFloat16Bits(value) : value;
}

function roundToEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** Converts a linear value to sRGB, as defined by OpenCL. */
function toSRGB(value: number): number {
  return value < 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}
