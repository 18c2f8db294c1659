/** What the pixels of an image are made of. */
import { inspect } from "node:util";

import { checkBoolean, checkInteger, checkOptions, typeError, withArticle } from "@cl/base";

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

/** The typed arrays that hold channels, by the name of the channel type. Halves are bit patterns. */
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

/** The typed array of an image's channels: `Float32Array` for `"FLOAT"`. Packed pixels and halves are bit patterns. */
export type PixelArray<N extends ChannelTypeName = ChannelTypeName> = PixelArrays[N];

/** How {@link ImageFormat.fromCType} chooses among the formats whose pixels have the same C type. */
export interface CTypeOptions {
  /** The channel order; R, RG or RGBA if not said, by the number of channels. */
  readonly order?: ChannelOrderName | number;
  /** Whether integers stand for 0…1 or -1…1. False if not said. */
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

/** The channel order for so many channels, where nothing says which ones they are. */
export const usualOrders: Readonly<Record<number, ChannelOrderName>> = { 1: "R", 2: "RG", 3: "RGB", 4: "RGBA" };

/**
 * What pixels are made of: which channels, in which order, and what each of them is. It can be made without a device;
 * what a device has, {@link supportedImageFormats} says.
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

  /** Both as names, keys of `ChannelOrder` and `ChannelType`, or as their values, vendors' own included. */
  constructor(order: ChannelOrderName | number, type: N | number) {
    this.#order = constant(ChannelOrder, order, "order", "ChannelOrder");
    this.#type = constant(ChannelType, type, "type", "ChannelType");
    this.#channels = channelsOf(this.#order);
    this.#layout = typeLayoutOf(this.#type);
  }

  /** The format of an order and a `dtype`: the way back from both. */
  static fromDtype(order: ChannelOrderName | number, dtype: string): ImageFormat {
    const name = Object.keys(typeLayouts).find((key) => typeLayouts[key as ChannelTypeName].dtype === dtype);
    if (name === undefined) {
      const known = Object.values(typeLayouts).map((layout) => layout.dtype);
      throw typeError("dtype", `one of ${known.join(", ")}`, dtype);
    }
    return new ImageFormat(order, name as ChannelTypeName);
  }

  /**
   * The format whose pixels are of a C type, such as `"uchar4"`. A C type does not tell integers from normalized ones,
   * nor one order from another: the options do.
   */
  static fromCType(ctype: string, options?: CTypeOptions): ImageFormat {
    const given = checkOptions(options, ["order", "normalized"]);
    const normalized = checkBoolean(given.normalized, "options.normalized", false);
    const [, scalar, width = "1"] = /^([a-z]+)(2|4)?$/.exec(typeof ctype === "string" ? ctype : "") ?? [];
    const element = Object.keys(scalarNames).find((dtype) => scalarNames[dtype] === scalar);
    if (element === undefined) {
      throw typeError("ctype", `one of ${Object.values(scalarNames).join(", ")}, alone or with 2 or 4`, ctype);
    }
    const dtype = normalized ? element.replace(/^u?int/, (sign) => (sign === "int" ? "snorm" : "unorm")) : element;
    if (normalized && !/norm(?:8|16)$/.test(dtype)) {
      throw typeError("options.normalized", `false, as there are no normalized ${scalar} channels`, normalized);
    }
    const format = ImageFormat.fromDtype(
      given.order === undefined ? (usualOrders[Number(width)] as ChannelOrderName) : given.order,
      dtype,
    );
    if (format.channelCount === Number(width)) return format;
    throw typeError("options.order", `an order of ${width} channels, as ${withArticle(ctype)} has`, given.order);
  }

  /** The channel order, a value of `ChannelOrder`. */
  get channelOrder(): number {
    return this.#order;
  }

  /** The channel type, a value of `ChannelType`. */
  get channelType(): number {
    return this.#type;
  }

  /** The channel order by name; its number in hexadecimal if it has none. */
  get orderName(): string {
    return constantName(ChannelOrder, this.#order) ?? `0x${this.#order.toString(16)}`;
  }

  /** The channel type by name; its number in hexadecimal if it has none. */
  get typeName(): N {
    return (constantName(ChannelType, this.#type) ?? `0x${this.#type.toString(16)}`) as N;
  }

  /** How many channels a pixel has in memory. */
  get channelCount(): number {
    return this.#knownChannels().length;
  }

  /** Bytes of a channel; of a packed pixel as a whole. */
  get componentSize(): number {
    return this.#knownLayout().bytes;
  }

  /** Bytes of a pixel. */
  get itemSize(): number {
    const { bytes } = this.#knownLayout();
    return this.packed ? bytes : bytes * this.#knownChannels().length;
  }

  /** True if all channels share one element of the array, as in 565. */
  get packed(): boolean {
    return typeof this.#knownLayout().bits !== "number";
  }

  /** True if integers stand for 0…1 or -1…1. */
  get normalized(): boolean {
    return this.kind.endsWith("norm");
  }

  /** How the values of a channel are meant. */
  get kind(): ChannelKind {
    return this.#knownLayout().kind;
  }

  /** A channel's type in one word: `"unorm8"`, `"int32"`, `"float16"`. See {@link fromDtype}. */
  get dtype(): string {
    return this.#knownLayout().dtype;
  }

  /**
   * The C type of a pixel in memory, such as `"uchar4"`; undefined if C has none, as for packed pixels, three channels
   * and 24 bits. See {@link fromCType}.
   */
  get ctype(): string | undefined {
    const count = this.channelCount;
    if (this.packed || count === 3 || this.#knownLayout().bits === 24) return undefined;
    const scalar = scalarNames[this.dtype.replace("unorm", "uint").replace("snorm", "int")];
    return count === 1 ? scalar : `${scalar}${count}`;
  }

  /** What a kernel reads and writes: `"float4"`, `"int4"` or `"uint4"`, and `"float"` for depths. */
  get kernelType(): "float" | "float4" | "int4" | "uint4" {
    if (this.#order === ChannelOrder.DEPTH) return "float";
    return this.kind === "int" || this.kind === "uint" ? `${this.kind}4` : "float4";
  }

  /** The typed array that holds channels. Halves and packed pixels are bit patterns in unsigned integers. */
  get arrayType(): ElementType<PixelArray<N>> {
    const { kind, bits, bytes } = this.#knownLayout();
    const signed = kind === "int" || kind === "snorm";
    if (kind === "float" && bits === 32) return Float32Array as unknown as ElementType<PixelArray<N>>;
    const arrays = signed
      ? { 1: Int8Array, 2: Int16Array, 4: Int32Array }
      : { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };
    return arrays[bytes] as unknown as ElementType<PixelArray<N>>;
  }

  /** True if both describe the same pixels. */
  equals(other: unknown): boolean {
    return other instanceof ImageFormat && other.#order === this.#order && other.#type === this.#type;
  }

  /** Order and type: equal formats have equal texts, which so can be keys. */
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
    throw new NotSupportedError(
      "clGetImageInfo",
      `how pixels of the format ${this.toString()} lie in memory is not known`,
    );
  }
}

/** An {@link ImageFormat}. */
export function checkFormat<N extends ChannelTypeName>(value: ImageFormat<N>, name: string): ImageFormat<N> {
  if (!(value instanceof ImageFormat)) {
    throw typeError(name, 'an ImageFormat, such as new ImageFormat("RGBA", "UNORM_INT8")', value);
  }
  return value;
}

function constant(group: Readonly<Record<string, number>>, value: unknown, name: string, groupName: string): number {
  if (typeof value === "number") return checkInteger(value, name, 0, 0x7fffffff);
  if (typeof value === "string" && Object.hasOwn(group, value)) return group[value] as number;
  throw typeError(name, `a value of ${groupName} or one of its names, as ${Object.keys(group)[5]}`, value);
}
