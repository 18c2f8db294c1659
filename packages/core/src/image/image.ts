/** Images, which kernels read and write by coordinates. */
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

/** Returns a private field. */
let readExtent: (image: Image) => Extent;

/** An existing native image with its properties. */
class Existing<N extends ChannelTypeName> extends Adopted {
  readonly bytes: number;
  readonly elementSize: number;
  readonly objectType: number;
  readonly format: ImageFormat<N>;
  readonly extent: Extent;
  readonly buffer: DeviceBuffer | undefined;
  /** The host memory that the image uses. */
  readonly host: HostMemory | undefined;

  constructor(handle: Handle, label: string | undefined, properties: Omit<Existing<N>, "handle" | "label">) {
    super(handle, label);
    this.bytes = properties.bytes;
    this.elementSize = properties.elementSize;
    this.objectType = properties.objectType;
    this.format = properties.format;
    this.extent = properties.extent;
    this.buffer = properties.buffer;
    this.host = properties.host;
  }
}

/**
 * An image of one, two or three dimensions, or an array of 1-D or 2-D images. Shapes, origins and regions start with
 * the width, because pixels are contiguous along x. Kernels take images as `image2d_t` and so on; the queue's `read`,
 * `write`, `map`, `enqueueCopy` and `enqueueFill` accept images like buffers.
 *
 * @example
 * ```ts
 * const image = new Image(context, { format: new ImageFormat("RGBA", "UNORM_INT8"), shape: [64, 32] });
 * queue.enqueueFill(image, [1, 0.5, 0, 1]);
 * const pixels = await queue.read(image); // a Uint8Array: 64 × 32 pixels of 4 channels, row after row
 * ```
 */
export class Image<N extends ChannelTypeName = ChannelTypeName> extends MemoryObject {
  /** Type-level tag; there is no such property at run time. */
  declare readonly "~argument": "image";
  readonly #format: ImageFormat<N>;
  readonly #objectType: number;
  readonly #extent: Extent;
  readonly #elementSize: number;
  readonly #buffer: DeviceBuffer | undefined;

  static {
    readExtent = (image: Image): Extent => image.#extent;
  }

  /** Creates an image. Its pixels are not initialized unless host memory is given. */
  constructor(context: Context, options: ImageOptions<N>);
  /** @internal */
  constructor(context: Context, options: Existing<N>);
  constructor(context: Context, options: ImageOptions<N> | Existing<N>) {
    checkInstance(context, Context, "context");
    const image = options instanceof Existing ? options : create<N>(context, planImage(context, options), options.host);
    super(image.handle, context, image.bytes, image.label, image.buffer, image.host);
    this.#format = image.format;
    this.#objectType = image.objectType;
    this.#extent = image.extent;
    this.#elementSize = image.elementSize;
    this.#buffer = image.buffer;
  }

  /** Creates an uninitialized image of one, two or three dimensions. */
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

  /** Adopts an image that other code in this process created. */
  static override fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Image {
    return checkInstance(MemoryObject.fromPointer(context, pointer, options), Image, "pointer");
  }

  /** The format of the pixels. */
  get format(): ImageFormat<N> {
    return this.#format;
  }

  /** The type of image, a value of `MemObjectType`. */
  override get objectType(): number {
    return this.#objectType;
  }

  /** The shape in pixels, width first. The last number of an image array is its number of images. */
  get shape(): readonly number[] {
    return this.#extent.slice(0, dimensionsOf[this.#objectType]);
  }

  /** Width in pixels. */
  get width(): number {
    return this.#extent[0];
  }

  /** Height in pixels; 0 for 1-D images and arrays of them. */
  get height(): number {
    const flat = (dimensionsOf[this.#objectType] ?? 1) === 1 || this.#objectType === MemObjectType.IMAGE1D_ARRAY;
    return flat ? 0 : this.#extent[1];
  }

  /** Depth in pixels; 0 unless the image is 3-D. */
  get depth(): number {
    return this.#objectType === MemObjectType.IMAGE3D ? this.#extent[2] : 0;
  }

  /** Number of images in an image array; 0 if the image is not an array. */
  get arraySize(): number {
    if (this.#objectType === MemObjectType.IMAGE1D_ARRAY) return this.#extent[1];
    return this.#objectType === MemObjectType.IMAGE2D_ARRAY ? this.#extent[2] : 0;
  }

  /** Size of a pixel in bytes. */
  get elementSize(): number {
    return this.#elementSize;
  }

  /** Row pitch in bytes in the driver's memory. */
  get rowPitch(): number {
    // Oclgrind returns the pitch that the image was created with, which may be 0.
    return ask(imageQueries, "rowPitch", (param) => this.getImageInfo(param)) || this.#extent[0] * this.#elementSize;
  }

  /** Slice pitch in bytes in the driver's memory, or the stride between images of an array; 0 for other images. */
  get slicePitch(): number {
    const pitch = ask(imageQueries, "slicePitch", (param) => this.getImageInfo(param));
    if (pitch !== 0 || (this.depth === 0 && this.arraySize === 0)) return pitch;
    return this.rowPitch * Math.max(1, this.height);
  }

  /** Strides in bytes, in the order of the shape. */
  get strides(): readonly number[] {
    const [row, slice] = [this.rowPitch, this.slicePitch];
    const rows = this.#objectType === MemObjectType.IMAGE1D_ARRAY ? slice : row;
    return [this.#elementSize, rows, slice].slice(0, dimensionsOf[this.#objectType]);
  }

  /** The buffer whose memory the image uses; `undefined` if it has its own memory. */
  get buffer(): DeviceBuffer | undefined {
    return this.#buffer;
  }

  /** Number of mip levels reported by the driver; 0 for an image without mipmaps. */
  get numMipLevels(): number {
    return ask(imageQueries, "numMipLevels", (param) => this.getImageInfo(param));
  }

  /** Number of samples per pixel reported by the driver; 0 for a single sample. */
  get numSamples(): number {
    return ask(imageQueries, "numSamples", (param) => this.getImageInfo(param));
  }

  /** Returns the raw result of an `ImageInfo` query. Use {@link getInfo} for queries of all memory objects. */
  getImageInfo(param: number): Uint8Array {
    // Prevents passing a buffer to the driver if the method is called on one.
    if (!(#extent in this)) throw typeError("this", "an Image", this);
    return native.getImageInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }

  protected override summary(): string {
    const array = this.arraySize > 0 ? " (array)" : "";
    return `${this.#format.toString()}, ${this.shape.join(" × ")}${array}, ${this.size} bytes`;
  }
}

/** @internal Returns the extent in pixels along x, y and z; unused dimensions are 1. */
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

/** Creates the native image and queries its size. */
function create<N extends ChannelTypeName>(
  context: Context,
  plan: ImagePlan,
  hostMemory: HostMemory | undefined,
): Existing<N> {
  const { description, flags, host, buffer, properties, label } = plan;
  const bufferHandle = buffer === undefined ? 0 : handleOf(buffer);
  const contextHandle = handleOf(context);
  writeImageDescription(description);
  const handle = native.createImage(contextHandle, flags, host, bufferHandle, properties);
  try {
    return new Existing<N>(handle, label, {
      bytes: decodeSize(native.getInfo(handle, MemInfo.SIZE)),
      elementSize: decodeSize(native.getImageInfo(handle, ImageInfo.ELEMENT_SIZE)),
      objectType: description.objectType,
      format: new ImageFormat<N>(description.order, description.type),
      extent: description.extent,
      buffer,
      host: (flags & MemFlags.USE_HOST_PTR) === 0 ? undefined : hostMemory,
    });
  } catch (error) {
    native.recycle(handle);
    throw error;
  }
}

/** Returns the name of an image's type, for messages. */
export function kindOf(image: Image): string {
  return constantName(MemObjectType, image.objectType) ?? "image";
}
