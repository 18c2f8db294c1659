/** Image formats: channel order and channel type. */
import { inspect } from "node:util";

import { checkBoolean, checkInteger, checkOptions, typeError } from "@cl/base";

import {
  type Channel,
  type ChannelKind,
  type ChannelOrderName,
  type ChannelTypeLayout,
  type ChannelTypeName,
  channelsOf,
  typeLayoutOf,
  typeLayouts,
} from "./channel-layout.js";
import { ChannelOrder, ChannelType } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { constantName } from "../info/names.js";
import type { ElementType } from "../dtype/host-array.js";

/** The typed array class of each channel type. Halves are bit patterns. */
interface PixelArrays {
  SNORM_INT8: Int8Array<ArrayBuffer>;
  SNORM_INT16: Int16Array<ArrayBuffer>;
  UNORM_INT8: Uint8Array<ArrayBuffer>;
  UNORM_INT16: Uint16Array<ArrayBuffer>;
  UNORM_SHORT_565: Uint16Array<ArrayBuffer>;
  UNORM_SHORT_555: Uint16Array<ArrayBuffer>;
  UNORM_INT_101010: Uint32Array<ArrayBuffer>;
  UNORM_INT_101010_2: Uint32Array<ArrayBuffer>;
  UNORM_INT24: Uint32Array<ArrayBuffer>;
  SIGNED_INT8: Int8Array<ArrayBuffer>;
  SIGNED_INT16: Int16Array<ArrayBuffer>;
  SIGNED_INT32: Int32Array<ArrayBuffer>;
  UNSIGNED_INT8: Uint8Array<ArrayBuffer>;
  UNSIGNED_INT16: Uint16Array<ArrayBuffer>;
  UNSIGNED_INT32: Uint32Array<ArrayBuffer>;
  HALF_FLOAT: Uint16Array<ArrayBuffer>;
  FLOAT: Float32Array<ArrayBuffer>;
}

/** The typed array for an image's channels: `Float32Array` for `"FLOAT"`. Packed pixels and halves are bit patterns. */
export type PixelArray<N extends ChannelTypeName = ChannelTypeName> = PixelArrays[N];

/** Options of {@link ImageFormat.fromCType}, to choose among the formats of the same C type. */
export interface CTypeOptions {
  /** The channel order. Defaults to R, RG or RGBA, depending on the number of channels. */
  readonly order?: ChannelOrderName | number;
  /**
   * Whether integers represent 0…1 or -1…1.
   *
   * @defaultValue `false`
   */
  readonly normalized?: boolean;
}

const scalarNames: Readonly<Record<string, string>> = {
  int8: "char",
  int16: "short",
  int32: "int",
  uint8: "uchar",
  uint16: "ushort",
  uint32: "uint",
  float16: "half",
  float32: "float",
};

/** The default channel order by number of channels. */
export const defaultOrders: Readonly<Record<number, ChannelOrderName>> = { 1: "R", 2: "RG", 3: "RGB", 4: "RGBA" };

/**
 * The format of an image's pixels: channel order and channel type. It does not depend on a device; use
 * {@link supportedImageFormats} to list the formats that a context supports.
 *
 * @example
 * ```ts
 * const format = new ImageFormat("RGBA", "UNORM_INT8"); // or the values ChannelOrder.RGBA, ChannelType.UNORM_INT8
 * console.log(format.channelCount, format.itemSize, format.dtype); // 4 4 unorm8
 * ```
 */
export class ImageFormat<N extends ChannelTypeName = ChannelTypeName> {
  readonly #order: number;
  readonly #type: number;
  readonly #channels: readonly Channel[] | undefined;
  readonly #layout: ChannelTypeLayout | undefined;

  /** Takes names (keys of `ChannelOrder` and `ChannelType`) or values, including vendor extensions. */
  constructor(order: ChannelOrderName | number, type: N | number) {
    this.#order = constant(ChannelOrder, order, "order", "ChannelOrder");
    this.#type = constant(ChannelType, type, "type", "ChannelType");
    this.#channels = channelsOf(this.#order);
    this.#layout = typeLayoutOf(this.#type);
  }

  /** Returns the format for a channel order and a {@link ImageFormat.dtype}. */
  static fromDtype(order: ChannelOrderName | number, dtype: string): ImageFormat {
    const name = Object.keys(typeLayouts).find((key) => typeLayouts[key as ChannelTypeName].dtype === dtype);
    if (name === undefined) {
      const known = Object.values(typeLayouts).map((layout) => layout.dtype);
      throw typeError("dtype", `one of ${known.join(", ")}`, dtype);
    }
    return new ImageFormat(order, name as ChannelTypeName);
  }

  /**
   * Returns the format for a C type of pixels, such as `"uchar4"`. The options select normalized integers or another
   * channel order, which a C type does not specify.
   */
  static fromCType(ctype: string, options?: CTypeOptions): ImageFormat {
    const checked = checkOptions(options, ["order", "normalized"]);
    const normalized = checkBoolean(checked.normalized, "options.normalized", false);
    const [, scalar, width = "1"] = /^([a-z]+)(2|4)?$/.exec(typeof ctype === "string" ? ctype : "") ?? [];
    const element = Object.keys(scalarNames).find((dtype) => scalarNames[dtype] === scalar);
    if (element === undefined) {
      throw typeError("ctype", `one of ${Object.values(scalarNames).join(", ")}, optionally followed by 2 or 4`, ctype);
    }
    const dtype = normalized ? element.replace(/^u?int/, (sign) => (sign === "int" ? "snorm" : "unorm")) : element;
    if (normalized && !/norm(?:8|16)$/.test(dtype)) {
      throw typeError("options.normalized", `false, because normalized ${scalar} channels do not exist`, normalized);
    }
    const format = ImageFormat.fromDtype(
      checked.order === undefined ? (defaultOrders[Number(width)] as ChannelOrderName) : checked.order,
      dtype,
    );
    if (format.channelCount === Number(width)) return format;
    throw typeError("options.order", `an order of ${width} channels for ${ctype}`, checked.order);
  }

  /** The channel order, a value of `ChannelOrder`. */
  get channelOrder(): number {
    return this.#order;
  }

  /** The channel type, a value of `ChannelType`. */
  get channelType(): number {
    return this.#type;
  }

  /** The name of the channel order; its number in hexadecimal for a vendor extension. */
  get orderName(): string {
    return constantName(ChannelOrder, this.#order) ?? `0x${this.#order.toString(16)}`;
  }

  /** The name of the channel type; its number in hexadecimal for a vendor extension. */
  get typeName(): N {
    return (constantName(ChannelType, this.#type) ?? `0x${this.#type.toString(16)}`) as N;
  }

  /** Number of channels of a pixel in memory. */
  get channelCount(): number {
    return this.#knownChannels().length;
  }

  /** Size of a channel in bytes, or of a pixel for packed formats. */
  get componentSize(): number {
    return this.#knownLayout().bytes;
  }

  /** Size of a pixel in bytes. */
  get itemSize(): number {
    const { bytes } = this.#knownLayout();
    return this.packed ? bytes : bytes * this.#knownChannels().length;
  }

  /** Whether the channels of a pixel are packed into one array element, as in 565. */
  get packed(): boolean {
    return typeof this.#knownLayout().bits !== "number";
  }

  /** Whether integers represent 0…1 or -1…1. */
  get normalized(): boolean {
    return this.kind.endsWith("norm");
  }

  /** The kind of a channel's values. */
  get kind(): ChannelKind {
    return this.#knownLayout().kind;
  }

  /** A short name of the channel type: `"unorm8"`, `"int32"`, `"float16"`. See {@link fromDtype}. */
  get dtype(): string {
    return this.#knownLayout().dtype;
  }

  /**
   * The C type of a pixel in memory, such as `"uchar4"`; `undefined` if no C type matches, as for packed pixels, three
   * channels and 24 bits. See {@link fromCType}.
   */
  get ctype(): string | undefined {
    const count = this.channelCount;
    if (this.packed || count === 3 || this.#knownLayout().bits === 24) return undefined;
    const scalar = scalarNames[this.dtype.replace("unorm", "uint").replace("snorm", "int")];
    return count === 1 ? scalar : `${scalar}${count}`;
  }

  /** The type that kernels read and write: `"float4"`, `"int4"` or `"uint4"`, or `"float"` for depth images. */
  get kernelType(): "float" | "float4" | "int4" | "uint4" {
    if (this.#order === ChannelOrder.DEPTH) return "float";
    return this.kind === "int" || this.kind === "uint" ? `${this.kind}4` : "float4";
  }

  /** The typed array class for the channels. Halves and packed pixels are bit patterns in unsigned integers. */
  get arrayType(): ElementType<PixelArray<N>> {
    const { kind, bits, bytes } = this.#knownLayout();
    const signed = kind === "int" || kind === "snorm";
    if (kind === "float" && bits === 32) return Float32Array as unknown as ElementType<PixelArray<N>>;
    const arrays = signed
      ? { 1: Int8Array, 2: Int16Array, 4: Int32Array }
      : { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };
    return arrays[bytes] as unknown as ElementType<PixelArray<N>>;
  }

  /** Returns whether both formats are equal. */
  equals(other: unknown): boolean {
    return other instanceof ImageFormat && other.#order === this.#order && other.#type === this.#type;
  }

  /** Returns the names of the order and the type. Equal formats return equal strings, for use as map keys. */
  toString(): string {
    return `${this.orderName} ${this.typeName}`;
  }

  /** @internal */
  [inspect.custom](): string {
    return `ImageFormat(${this.toString()})`;
  }

  #knownChannels(): readonly Channel[] {
    return this.#channels ?? this.#unknown();
  }

  #knownLayout(): ChannelTypeLayout {
    return this.#layout ?? this.#unknown();
  }

  #unknown(): never {
    throw new NotSupportedError("clGetImageInfo", `the memory layout of the format ${this.toString()} is unknown`);
  }
}

/** Checks that a value is an {@link ImageFormat}. */
export function checkFormat<N extends ChannelTypeName>(value: ImageFormat<N>, name: string): ImageFormat<N> {
  if (!(value instanceof ImageFormat)) {
    throw typeError(name, 'an ImageFormat, such as new ImageFormat("RGBA", "UNORM_INT8")', value);
  }
  return value;
}

function constant(group: Readonly<Record<string, number>>, value: unknown, name: string, groupName: string): number {
  if (typeof value === "number") return checkInteger(value, name, 0, 0x7fffffff);
  if (typeof value === "string" && Object.hasOwn(group, value)) return group[value] as number;
  throw typeError(name, `a value of ${groupName} or one of its names, such as ${Object.keys(group)[5]}`, value);
}
