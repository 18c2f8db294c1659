/** Images: pixels of a context that kernels read and write by coordinates. */
import { checkInstance, checkInteger, checkOptions, typeError } from "@cl/base";

import type { ChannelTypeName } from "./channel-layout.js";
import { ImageInfo, MemFlags, MemInfo, MemObjectType } from "../binding/constants.js";
import { imageQueries } from "../info/memory-info.js";
import { pointer as decodePointer, size as decodeSize, uint32 } from "../info/decode.js";
import { ask } from "../info/query.js";
import { constantName } from "../info/names.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { accessNames, type BufferAccessOptions } from "../memory/buffer-options.js";
import type { HostMemory } from "../dtype/host-array.js";
import { adopters, MemoryObject } from "../memory/memory-object.js";
import type { AdoptOptions } from "../binding/adopt.js";
import { type Handle, native } from "../binding/native.js";
import { writeImageDescription } from "../binding/native-image.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { Context } from "../platform/context.js";
import { ImageFormat } from "./image-format.js";
import { dimensionsOf, type Extent } from "./image-limits.js";
import { type ImageOptions, type ImagePlan, type ImageShape, planImage } from "./image-options.js";

/** Reaches a private field. */
let readExtent: (image: Image) => Extent;

/** A native image that exists already, with what the driver says of it. */
class Existing<N extends ChannelTypeName> extends Adopted {
  readonly bytes: number;
  readonly elementSize: number;
  readonly objectType: number;
  readonly format: ImageFormat<N>;
  readonly extent: Extent;
  readonly buffer: DeviceBuffer | undefined;
  /** The host memory that it lives in. */
  readonly host: HostMemory | undefined;

  constructor(handle: Handle, label: string | undefined, what: Omit<Existing<N>, "handle" | "label">) {
    super(handle, label);
    this.bytes = what.bytes;
    this.elementSize = what.elementSize;
    this.objectType = what.objectType;
    this.format = what.format;
    this.extent = what.extent;
    this.buffer = what.buffer;
    this.host = what.host;
  }
}

/**
 * Pixels of a context: one, two or three dimensions, or an array of 1-D or 2-D images. The first dimension, x, is the one
 * along which pixels are neighbours in memory: shapes, origins and regions begin with the width. Kernels take images as
 * `image2d_t` and so on; the queue's `read`, `write`, `map`, `enqueueCopy` and `enqueueFill` take them as they take
 * buffers.
 *
 * @example
 * ```ts
 * const image = new Image(context, { format: new ImageFormat("RGBA", "UNORM_INT8"), shape: [64, 32] });
 * queue.enqueueFill(image, [1, 0.5, 0, 1]);
 * const pixels = await queue.read(image); // a Uint8Array: 64 × 32 pixels of 4 channels, row after row
 * ```
 */
export class Image<N extends ChannelTypeName = ChannelTypeName> extends MemoryObject {
  /** Only for the type checker, which knows images by it; there is no such property. */
  declare readonly "~argument": "image";
  readonly #format: ImageFormat<N>;
  readonly #objectType: number;
  readonly #extent: Extent;
  readonly #elementSize: number;
  readonly #buffer: DeviceBuffer | undefined;

  static {
    readExtent = (image: Image): Extent => image.#extent;
  }

  /** An image as the options say. Without host memory its pixels are not initialized. */
  constructor(context: Context, options: ImageOptions<N>);
  /** @internal */
  constructor(context: Context, options: Existing<N>);
  constructor(context: Context, options: ImageOptions<N> | Existing<N>) {
    checkInstance(context, Context, "context");
    const made = options instanceof Existing ? options : create<N>(context, planImage(context, options), options.host);
    super(made.handle, context, made.bytes, made.label, made.buffer, made.host);
    this.#format = made.format;
    this.#objectType = made.objectType;
    this.#extent = made.extent;
    this.#elementSize = made.elementSize;
    this.#buffer = made.buffer;
  }

  /** An image that is not initialized: of two or three dimensions, or one. */
  static empty<N extends ChannelTypeName>(
    context: Context,
    format: ImageFormat<N>,
    shape: ImageShape,
    options?: BufferAccessOptions & Pick<ImageOptions, "array">,
  ): Image<N> {
    return new Image<N>(context, {
      ...checkOptions(options, [...accessNames, "array"]),
      format,
      shape,
    });
  }

  /** The image at an address, made elsewhere in this process. */
  static override fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Image {
    return checkInstance(MemoryObject.fromPointer(context, pointer, options), Image, "pointer");
  }

  /** What its pixels are made of. */
  get format(): ImageFormat<N> {
    return this.#format;
  }

  /** What kind of image it is, a value of `MemObjectType`. */
  override get objectType(): number {
    return this.#objectType;
  }

  /** Its sizes in pixels, the width first; of an array the last one counts its images. */
  get shape(): readonly number[] {
    return this.#extent.slice(0, dimensionsOf[this.#objectType]);
  }

  /** Its width in pixels. */
  get width(): number {
    return this.#extent[0];
  }

  /** Its height; 0 for images of one dimension and arrays of them. */
  get height(): number {
    const flat = (dimensionsOf[this.#objectType] ?? 1) === 1 || this.#objectType === MemObjectType.IMAGE1D_ARRAY;
    return flat ? 0 : this.#extent[1];
  }

  /** Its depth; 0 if it is not 3-D. */
  get depth(): number {
    return this.#objectType === MemObjectType.IMAGE3D ? this.#extent[2] : 0;
  }

  /** How many images an array of images has; 0 if it is none. */
  get arraySize(): number {
    if (this.#objectType === MemObjectType.IMAGE1D_ARRAY) return this.#extent[1];
    return this.#objectType === MemObjectType.IMAGE2D_ARRAY ? this.#extent[2] : 0;
  }

  /** Bytes of a pixel. */
  get elementSize(): number {
    return this.#elementSize;
  }

  /** Bytes from row to row in the driver's memory, as the driver tells; those of a row where it does not. */
  get rowPitch(): number {
    // Oclgrind answers what the image was made with, which is 0 where nothing was said.
    return ask(imageQueries, "rowPitch", (param) => this.getImageInfo(param)) || this.#extent[0] * this.#elementSize;
  }

  /** Bytes from slice to slice, or from image to image of an array, as the driver tells; 0 if there is but one. */
  get slicePitch(): number {
    const told = ask(imageQueries, "slicePitch", (param) => this.getImageInfo(param));
    if (told !== 0 || (this.depth === 0 && this.arraySize === 0)) return told;
    return this.rowPitch * Math.max(1, this.height);
  }

  /** Bytes from pixel to pixel along each dimension, in the order of the shape. */
  get strides(): readonly number[] {
    const [row, slice] = [this.rowPitch, this.slicePitch];
    const rows = this.#objectType === MemObjectType.IMAGE1D_ARRAY ? slice : row;
    return [this.#elementSize, rows, slice].slice(0, dimensionsOf[this.#objectType]);
  }

  /** The buffer whose bytes are its pixels. */
  get buffer(): DeviceBuffer | undefined {
    return this.#buffer;
  }

  /** Its mip levels, as the driver tells; 0 for none. */
  get numMipLevels(): number {
    return ask(imageQueries, "numMipLevels", (param) => this.getImageInfo(param));
  }

  /** Samples of a pixel, as the driver tells; 0 for one. */
  get numSamples(): number {
    return ask(imageQueries, "numSamples", (param) => this.getImageInfo(param));
  }

  /** The raw answer of any query of `ImageInfo`; {@link getInfo} has those of all memory objects. */
  getImageInfo(param: number): Uint8Array {
    // Drivers are not asked this of a buffer on which the method was called all the same.
    if (!(#extent in this)) throw typeError("this", "an Image", this);
    return native.getImageInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }

  protected override summary(): string {
    const array = this.arraySize > 0 ? " (array)" : "";
    return `${this.#format.toString()}, ${this.shape.join(" × ")}${array}, ${this.size} bytes`;
  }
}

/** @internal Pixels along x, y and z, with 1 for what the image has not. */
export const extentOf: (image: Image) => Extent = readExtent;

for (const type of Object.keys(dimensionsOf)) adopters.set(Number(type), adopt);

function adopt(context: Context, { handle, label }: Adopted): Image {
  const info = <K extends keyof typeof imageQueries>(name: K): ReturnType<(typeof imageQueries)[K]["decode"]> =>
    ask(imageQueries, name, (param) => native.getImageInfo(handle, param)) as never;
  const objectType = uint32(native.getInfo(handle, MemInfo.TYPE));
  const [width, height] = [info("width"), info("height")];
  const extents: Readonly<Record<number, () => Extent>> = {
    [MemObjectType.IMAGE1D_ARRAY]: () => [width, info("arraySize"), 1],
    [MemObjectType.IMAGE2D]: () => [width, height, 1],
    [MemObjectType.IMAGE2D_ARRAY]: () => [width, height, info("arraySize")],
    [MemObjectType.IMAGE3D]: () => [width, height, info("depth")],
  };
  const { order, type } = info("format");
  const buffer = decodePointer(native.getImageInfo(handle, ImageInfo.BUFFER));
  return new Image(
    context,
    new Existing(handle, label, {
      bytes: decodeSize(native.getInfo(handle, MemInfo.SIZE)),
      elementSize: info("elementSize"),
      objectType,
      format: new ImageFormat(order, type),
      extent: extents[objectType]?.() ?? [width, 1, 1],
      buffer: buffer === 0n ? undefined : DeviceBuffer.fromPointer(context, buffer),
      host: undefined,
    }),
  );
}

/** Makes the native image, and asks what only the driver knows of it. */
function create<N extends ChannelTypeName>(
  context: Context,
  plan: ImagePlan,
  given: HostMemory | undefined,
): Existing<N> {
  const { description, flags, host, buffer, properties, label } = plan;
  const owner = buffer === undefined ? 0 : handleOf(buffer);
  const whole = handleOf(context);
  writeImageDescription(description);
  const handle = native.createImage(whole, flags, host, owner, properties);
  try {
    return new Existing<N>(handle, label, {
      bytes: decodeSize(native.getInfo(handle, MemInfo.SIZE)),
      elementSize: decodeSize(native.getImageInfo(handle, ImageInfo.ELEMENT_SIZE)),
      objectType: description.objectType,
      format: new ImageFormat<N>(description.order, description.type),
      extent: description.extent,
      buffer,
      host: (flags & MemFlags.USE_HOST_PTR) === 0 ? undefined : given,
    });
  } catch (error) {
    native.recycle(handle);
    throw error;
  }
}

/** The name of a kind of image, for messages. */
export function kindOf(image: Image): string {
  return constantName(MemObjectType, image.objectType) ?? "image";
}
