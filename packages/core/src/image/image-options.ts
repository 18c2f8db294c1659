/** What an image is made from: options checked against each other and turned into the driver's arguments. */
import {
  byteLengthOf,
  bytesOver,
  checkBoolean,
  checkInteger,
  checkOptions,
  checkString,
  rangeError,
  typeError,
  wrongValue,
} from "@cl/base";

import type { ImageDescription } from "../binding/native-image.js";
import type { ChannelTypeName } from "./channel-layout.js";
import { MemFlags, MemObjectType } from "../binding/constants.js";
import { DeviceBuffer } from "../memory/buffer.js";
import {
  accessNames,
  type BufferAccessOptions,
  checkContradictions,
  memoryFlags,
  propertyList,
} from "../memory/buffer-options.js";
import { hostBytes, type HostMemory } from "../dtype/host-array.js";
import type { Context } from "../platform/context.js";
import type { TypedArray } from "../typed/index.js";
import { checkFormat, type ImageFormat } from "./image-format.js";
import { checkExtent, type Extent, pitchAlignmentOf } from "./image-limits.js";
import { checkImageSupport, checkSupported } from "./supported-formats.js";

/** The sizes of an image in pixels, the width first; of an array of images the last one counts its images. */
export type ImageShape =
  | readonly [width: number]
  | readonly [width: number, heightOrImages: number]
  | readonly [width: number, height: number, depthOrImages: number];

/** Bytes from row to row and from slice to slice; the images of an array of 1-D images are its rows. */
export type ImagePitches = readonly [row?: number, slice?: number];

/** How to make an image. */
export interface ImageOptions<N extends ChannelTypeName = ChannelTypeName> extends BufferAccessOptions {
  /** What its pixels are made of. */
  readonly format: ImageFormat<N>;
  /** Its sizes in pixels, the width first: one to three numbers, which say its dimensions. */
  readonly shape: ImageShape;
  /** True for an array of images: the last number of the shape then counts images of one dimension less. */
  readonly array?: boolean;
  /** A buffer whose bytes become the pixels: a 1-D image, or a 2-D one where devices have `cl_khr_image2d_from_buffer`. */
  readonly buffer?: DeviceBuffer;
  /** Host memory that it starts with, or lives in. */
  readonly host?: HostMemory;
  /** Copy `host` (`"copy"`), live in it (`"use"`), or ask for memory that the host reaches easily (`"alloc"`). */
  readonly hostPointer?: "use" | "copy" | "alloc";
  /** How the pixels lie in `host`, or in `buffer`; without gaps if not said. */
  readonly pitches?: ImagePitches;
  /** Further key and value pairs, for `clCreateImageWithProperties`. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
}

/** The driver's arguments for a new image. */
export interface ImagePlan {
  readonly description: ImageDescription;
  readonly flags: number;
  readonly host: TypedArray | undefined;
  readonly buffer: DeviceBuffer | undefined;
  readonly properties: BigUint64Array | undefined;
  readonly label: string | undefined;
}

const kernelAccess = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY | MemFlags.KERNEL_READ_AND_WRITE;

/** Checks the options of a new image. */
export function planImage(context: Context, options: ImageOptions): ImagePlan {
  const given = checkOptions(options, [
    "format",
    "shape",
    "array",
    "buffer",
    "host",
    "hostPointer",
    "pitches",
    "properties",
    ...accessNames,
  ]);
  const format = checkFormat(given.format, "options.format");
  const shape = checkShape(given.shape);
  const buffer = checkOwnBuffer(given.buffer);
  const objectType = typeOf(shape.length, checkBoolean(given.array, "options.array", false), buffer !== undefined);
  const flags = memoryFlags(given);
  checkContradictions(flags, "an image");
  const host = checkHost(given, flags);
  const label = given.label === undefined ? undefined : checkString(given.label, "options.label");
  const properties = propertyList(given.properties);
  checkImageSupport(context);
  checkSupported(context, formatFlags(flags, buffer), objectType, format);
  const extent: Extent = [shape[0] as number, shape[1] ?? 1, shape[2] ?? 1];
  const width = extent[0] * format.itemSize;
  const pitches = checkPitches(given, extent, width, format.itemSize);
  const [row, slice] = [pitches[0] || width, pitches[1] || (pitches[0] || width) * extent[1]];
  const bytes = slice * extent[2];
  checkExtent(context, objectType, extent, bytes);
  if (host !== undefined && byteLengthOf(host) < bytes) {
    throw rangeError("options.host", `at least the ${bytes} bytes of the image long`, given.host);
  }
  const apart =
    (flags & MemFlags.COPY_HOST_PTR) !== 0 && host !== undefined && (row !== width || slice !== row * extent[1]);
  if (buffer !== undefined) checkBuffer(context, buffer, objectType, [row, extent[1]], width, format.itemSize);
  const description = {
    order: format.channelOrder,
    type: format.channelType,
    objectType,
    extent,
    pitches: apart ? ([0, 0] as const) : buffer === undefined ? pitches : ([row, 0] as const),
  };
  const memory = apart ? withoutGaps(host, extent, width, [row, slice]) : host;
  return { description, flags, host: memory, buffer, properties, label };
}

/** Rows and slices that lie apart, copied together: Oclgrind copies the gaps, as if no pitches were given. */
function withoutGaps(
  host: TypedArray,
  [, rows, slices]: Extent,
  width: number,
  [row, slice]: readonly [number, number],
): Uint8Array {
  const from = bytesOver(host);
  const to = new Uint8Array(width * rows * slices);
  for (let z = 0; z < slices; z++) {
    for (let y = 0; y < rows; y++) {
      const start = z * slice + y * row;
      to.set(from.subarray(start, start + width), (z * rows + y) * width);
    }
  }
  return to;
}

function typeOf(dimensions: number, array: boolean, overBuffer: boolean): number {
  if (array) {
    if (overBuffer) throw typeError("options.array", "false, since no array of images can lie over a buffer", array);
    if (dimensions === 2) return MemObjectType.IMAGE1D_ARRAY;
    if (dimensions === 3) return MemObjectType.IMAGE2D_ARRAY;
    throw wrongValue(
      "options.shape must have 2 or 3 numbers for an array of images, of which the last one counts them",
    );
  }
  if (dimensions === 1) return overBuffer ? MemObjectType.IMAGE1D_BUFFER : MemObjectType.IMAGE1D;
  if (dimensions === 2) return MemObjectType.IMAGE2D;
  if (overBuffer) throw wrongValue("options.shape must have 1 or 2 numbers for an image over options.buffer");
  return MemObjectType.IMAGE3D;
}

/** One to three sizes. */
function checkShape(value: unknown, name = "options.shape"): readonly number[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) {
    throw typeError(name, "an array of 1 to 3 numbers, the width first", value);
  }
  return Array.from(value as readonly unknown[], (one, i) => checkInteger(one, `${name}[${i}]`, 1));
}

function checkOwnBuffer(value: DeviceBuffer | undefined): DeviceBuffer | undefined {
  if (value === undefined || value instanceof DeviceBuffer) return value;
  throw typeError("options.buffer", "a DeviceBuffer", value);
}

function checkHost(options: ImageOptions, flags: number): TypedArray | undefined {
  const { host, buffer } = options;
  const uses = (flags & MemFlags.USE_HOST_PTR) !== 0;
  const wantsHost = uses || (flags & MemFlags.COPY_HOST_PTR) !== 0;
  if (buffer !== undefined && (host !== undefined || options.hostPointer !== undefined || wantsHost)) {
    throw wrongValue(
      "options.host and options.hostPointer are not for images over options.buffer, whose bytes they are",
    );
  }
  if (host === undefined && wantsHost) {
    throw typeError("options.host", `host memory, since the image is to ${uses ? "live in" : "copy"} it`, host);
  }
  if (host !== undefined && !wantsHost) {
    throw typeError("options.hostPointer", '"copy" or "use", since options.host is given', options.hostPointer);
  }
  return host === undefined ? undefined : hostBytes(host, "options.host", !uses);
}

/** An image over a buffer may do what the buffer may, where nothing else is said. */
function formatFlags(flags: number, buffer: DeviceBuffer | undefined): number {
  const own = flags & kernelAccess;
  if (own !== 0) return own;
  const inherited = buffer === undefined ? 0 : buffer.flags & kernelAccess;
  return inherited === 0 ? MemFlags.READ_WRITE : inherited;
}

function checkPitches(
  { pitches, host, buffer }: ImageOptions,
  [, rows]: Extent,
  width: number,
  pixel: number,
): readonly [number, number] {
  if (pitches === undefined) return [0, 0];
  if (host === undefined && buffer === undefined) {
    throw typeError(
      "options.pitches",
      "absent without options.host or options.buffer, in which they say how pixels lie",
      pitches,
    );
  }
  const [row, slice] = twoPitches(pitches, "options.pitches");
  if (row !== 0 && (row < width || row % pixel !== 0)) {
    throw rangeError("options.pitches[0]", `a multiple of a pixel's ${pixel} bytes and at least a row's ${width}`, row);
  }
  const least = (row || width) * rows;
  if (slice !== 0 && (slice < least || slice % (row || width) !== 0)) {
    throw rangeError(
      "options.pitches[1]",
      `a multiple of the row pitch ${row || width} and at least a slice's ${least}`,
      slice,
    );
  }
  return [row, slice];
}

/** Row and slice pitch; 0 for what is not said. */
export function twoPitches(value: ImagePitches, name: string): readonly [row: number, slice: number] {
  if (!Array.isArray(value) || value.length > 2) {
    throw typeError(name, "an array of up to 2 numbers, [row, slice]", value);
  }
  return [checkInteger(value[0] ?? 0, `${name}[0]`), checkInteger(value[1] ?? 0, `${name}[1]`)];
}

function checkBuffer(
  context: Context,
  buffer: DeviceBuffer,
  objectType: number,
  [row, rows]: readonly [number, number],
  width: number,
  pixel: number,
): void {
  if (buffer.context.pointer !== context.pointer) {
    throw typeError("options.buffer", "a buffer of the same context as the image", buffer);
  }
  const oneRow = objectType === MemObjectType.IMAGE1D_BUFFER;
  const bytes = oneRow ? width : row * rows;
  if (bytes > buffer.size) {
    throw rangeError("options.buffer", `at least the ${bytes} bytes of the image long`, buffer.size);
  }
  if (oneRow) return;
  const alignment = pitchAlignmentOf(context) * pixel;
  if (row % alignment === 0) return;
  const nearest = Math.ceil(row / alignment) * alignment;
  throw rangeError(
    "options.pitches[0]",
    `a multiple of ${alignment} bytes for the context's devices, such as ${nearest}`,
    row,
  );
}
