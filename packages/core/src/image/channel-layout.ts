/** The memory layout of pixels by channel order and channel type. */
import { ChannelOrder, ChannelType } from "../binding/constants.js";
import { constantName } from "../info/names.js";

/** The name of a channel order, a key of `ChannelOrder`. */
export type ChannelOrderName = keyof typeof ChannelOrder;

/** The name of a channel type, a key of `ChannelType`. */
export type ChannelTypeName = keyof typeof ChannelType;

/** The kind of a channel's values. Normalized kinds (`unorm`, `snorm`) are integers that represent 0…1 and -1…1. */
export type ChannelKind = "unorm" | "snorm" | "int" | "uint" | "float";

/** A channel of a pixel: red, green, blue, alpha, intensity, luminance, depth, or unused (`x`). */
export type Channel = "r" | "g" | "b" | "a" | "i" | "l" | "d" | "x";

/** The channels of a pixel in memory order, for all standard channel orders. */
const orderChannels: Readonly<Partial<Record<ChannelOrderName, readonly Channel[]>>> = {
  R: ["r"],
  A: ["a"],
  RG: ["r", "g"],
  RA: ["r", "a"],
  RGB: ["r", "g", "b"],
  RGBA: ["r", "g", "b", "a"],
  BGRA: ["b", "g", "r", "a"],
  ARGB: ["a", "r", "g", "b"],
  ABGR: ["a", "b", "g", "r"],
  INTENSITY: ["i"],
  LUMINANCE: ["l"],
  // The x of these two is not stored: they differ from R and RG only by their border color.
  Rx: ["r"],
  RGx: ["r", "g"],
  RGBx: ["r", "g", "b", "x"],
  DEPTH: ["d"],
  sRGB: ["r", "g", "b"],
  sRGBx: ["r", "g", "b", "x"],
  sRGBA: ["r", "g", "b", "a"],
  sBGRA: ["b", "g", "r", "a"],
};

/** The memory layout of a channel type. */
export interface ChannelTypeLayout {
  /** A short unique name: `"unorm8"`. */
  readonly dtype: string;
  readonly kind: ChannelKind;
  /** Bits per channel; for packed types, the bits of each channel, the last one in the lowest bits. */
  readonly bits: number | readonly number[];
  /** Bytes per channel, or per pixel for packed types. */
  readonly bytes: 1 | 2 | 4;
}

/** The layout of every standard channel type. */
export const typeLayouts: Readonly<Record<ChannelTypeName, ChannelTypeLayout>> = {
  SNORM_INT8: { dtype: "snorm8", kind: "snorm", bits: 8, bytes: 1 },
  SNORM_INT16: { dtype: "snorm16", kind: "snorm", bits: 16, bytes: 2 },
  UNORM_INT8: { dtype: "unorm8", kind: "unorm", bits: 8, bytes: 1 },
  UNORM_INT16: { dtype: "unorm16", kind: "unorm", bits: 16, bytes: 2 },
  UNORM_SHORT_565: { dtype: "unorm565", kind: "unorm", bits: [5, 6, 5], bytes: 2 },
  UNORM_SHORT_555: { dtype: "unorm555", kind: "unorm", bits: [5, 5, 5], bytes: 2 },
  UNORM_INT_101010: { dtype: "unorm101010", kind: "unorm", bits: [10, 10, 10], bytes: 4 },
  UNORM_INT_101010_2: { dtype: "unorm101010_2", kind: "unorm", bits: [10, 10, 10, 2], bytes: 4 },
  UNORM_INT24: { dtype: "unorm24", kind: "unorm", bits: 24, bytes: 4 },
  SIGNED_INT8: { dtype: "int8", kind: "int", bits: 8, bytes: 1 },
  SIGNED_INT16: { dtype: "int16", kind: "int", bits: 16, bytes: 2 },
  SIGNED_INT32: { dtype: "int32", kind: "int", bits: 32, bytes: 4 },
  UNSIGNED_INT8: { dtype: "uint8", kind: "uint", bits: 8, bytes: 1 },
  UNSIGNED_INT16: { dtype: "uint16", kind: "uint", bits: 16, bytes: 2 },
  UNSIGNED_INT32: { dtype: "uint32", kind: "uint", bits: 32, bytes: 4 },
  HALF_FLOAT: { dtype: "float16", kind: "float", bits: 16, bytes: 2 },
  FLOAT: { dtype: "float32", kind: "float", bits: 32, bytes: 4 },
};

/** Returns the channels of an order; `undefined` for a vendor extension. */
export function channelsOf(order: number): readonly Channel[] | undefined {
  const name = constantName(ChannelOrder, order) as ChannelOrderName | undefined;
  return name === undefined ? undefined : orderChannels[name];
}

/** Returns the layout of a channel type; `undefined` for a vendor extension. */
export function typeLayoutOf(type: number): ChannelTypeLayout | undefined {
  const name = constantName(ChannelType, type) as ChannelTypeName | undefined;
  return name === undefined ? undefined : typeLayouts[name];
}
