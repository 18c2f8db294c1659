/**
 * Colors, as fills take them: red, green, blue and alpha as a kernel would write them, whatever order the pixels have.
 * They are checked here, since drivers clamp, wrap or ignore what does not fit, each in its own way.
 */
import { describe, outOfRange, rangeError, typeError } from "@cl/base";

import { ChannelOrder } from "../binding/constants.js";
import { getFloat16Bits } from "../dtype/half.js";
import { type Channel, channelsOf, type ChannelTypeLayout, typeLayoutOf } from "./channel-layout.js";
import type { ImageFormat } from "./image-format.js";

/**
 * A color: [red, green, blue, alpha], for depths one number. Fractions from 0 to 1 (-1 to 1 if signed) for normalized
 * formats, integers that fit for integer formats, any numbers for floats. Channels that the pixels have not are ignored.
 */
export type Color = readonly [red: number, green: number, blue: number, alpha: number] | ArrayLike<number> | number;

/** A color as four numbers; throws for one that pixels of the format cannot hold. */
export function checkColor(format: ImageFormat, color: Color, name = "color"): readonly number[] {
  const depth = format.channelOrder === ChannelOrder.DEPTH;
  if (depth) {
    if (typeof color !== "number") throw typeError(name, "a number, since the image holds depths", color);
    return [checkValue(format, color, name), 0, 0, 0];
  }
  const given: unknown = color;
  const list = Array.isArray(given) || (ArrayBuffer.isView(given) && !(given instanceof DataView));
  if (!list || (given as ArrayLike<unknown>).length !== 4) {
    throw typeError(name, "four numbers, [red, green, blue, alpha]", given);
  }
  return Array.from(given as ArrayLike<unknown>, (value, i) => checkValue(format, value, `${name}[${i}]`));
}

function checkValue(format: ImageFormat, value: unknown, name: string): number {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  const { kind, bits } = typeLayoutOf(format.channelType) as ChannelTypeLayout;
  const held = `for ${format.toString()} pixels`;
  switch (kind) {
    case "unorm":
      if (!(value >= 0 && value <= 1)) throw rangeError(name, `from 0 to 1 ${held}`, value);
      return value;
    case "snorm":
      if (!(value >= -1 && value <= 1)) throw rangeError(name, `from -1 to 1 ${held}`, value);
      return value;
    case "int":
      return checkWhole(value, -(2 ** ((bits as number) - 1)), 2 ** ((bits as number) - 1) - 1, name, held);
    case "uint":
      return checkWhole(value, 0, 2 ** (bits as number) - 1, name, held);
    case "float": {
      const most = bits === 16 ? 65504 : 3.4028234663852886e38;
      if (Number.isFinite(value) && Math.abs(value) > most) throw rangeError(name, `at most ±${most} ${held}`, value);
      return value;
    }
    default:
      return kind satisfies never;
  }
}

function checkWhole(value: number, least: number, most: number, name: string, held: string): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw outOfRange(`${name} must be an integer from ${least} to ${most} ${held}, received ${describe(value)}`);
}

/** The 16 bytes that `clEnqueueFillImage` takes: floats, ints or unsigned ints. */
export function fillColor(format: ImageFormat, color: readonly number[]): Float32Array | Int32Array | Uint32Array {
  if (format.kind === "int") return Int32Array.from(color);
  if (format.kind === "uint") return Uint32Array.from(color);
  const layout = typeLayoutOf(format.channelType) as ChannelTypeLayout;
  const curved = format.orderName.startsWith("s");
  return Float32Array.from(color, (value, i) => (curved && i < 3 ? value : steady(layout, value, i)));
}

/**
 * A normalized value that becomes the nearest code whether a driver rounds or, as PoCL 3.1 does, cuts off: a little
 * further from zero than the code's own.
 */
function steady({ kind, bits: all }: ChannelTypeLayout, value: number, channel: number): number {
  const bits = typeof all === "number" ? all : (all[channel] ?? 0);
  // More bits than 16 leave a float no room between two codes.
  if (kind === "float" || bits === 0 || bits > 16) return value;
  const most = 2 ** (kind === "snorm" ? bits - 1 : bits) - 1;
  const whole = roundToEven(value * most);
  return Math.max(-1, Math.min(1, (whole + Math.sign(whole) / 4) / most));
}

/** The bytes of a pixel of a color, as kernels that write it would make them. */
export function pixelBytes(format: ImageFormat, color: readonly number[]): Uint8Array<ArrayBuffer> {
  const layout = typeLayoutOf(format.channelType) as ChannelTypeLayout;
  const channels = channelsOf(format.channelOrder) as readonly Channel[];
  const encoded = format.orderName.startsWith("s");
  const values = channels.map((channel) => {
    const value = channelValue(channel, color);
    return encoded && "rgb".includes(channel) ? toSRGB(value) : value;
  });
  const bytes = new Uint8Array(format.itemSize);
  const view = new DataView(bytes.buffer);
  if (typeof layout.bits !== "number") {
    // By multiplication, since shifts make signed numbers of 32 bits.
    const packed = layout.bits.reduce((all, bits, i) => all * 2 ** bits + code({ ...layout, bits }, values[i] ?? 0), 0);
    if (layout.bytes === 2) view.setUint16(0, packed, true);
    else view.setUint32(0, packed, true);
    return bytes;
  }
  for (const [i, value] of values.entries()) {
    const at = i * layout.bytes;
    const whole = layout.kind === "float" && layout.bits === 32 ? undefined : code(layout, value);
    if (whole === undefined) view.setFloat32(at, value, true);
    else if (layout.bytes === 1) view.setInt8(at, whole);
    else if (layout.bytes === 2) view.setInt16(at, whole, true);
    else view.setInt32(at, whole, true);
  }
  return bytes;
}

/** Which of a color's numbers a channel holds. Intensity and luminance are made of the red one. */
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

/** The integer that stands for a value; the bits of a half. */
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

/** Of linear light, as OpenCL defines it. */
function toSRGB(value: number): number {
  return value < 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}
