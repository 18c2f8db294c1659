/** Checks of image options, and their conversion to the driver's arguments. */
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

/** The shape of an image in pixels, width first. The last number of an image array is its number of images. */
export type ImageShape =
  | readonly [width: number]
  | readonly [width: number, heightOrImages: number]
  | readonly [width: number, height: number, depthOrImages: number];

/** Row and slice pitch in bytes. The images of a 1-D image array are its rows. */
export type ImagePitches = readonly [row?: number, slice?: number];

/** Options of an `Image`. */
export interface ImageOptions<N extends ChannelTypeName = ChannelTypeName> extends BufferAccessOptions {
  /** The format of the pixels. */
  readonly format: ImageFormat<N>;
  /** The shape in pixels, width first. Its length, 1 to 3, is the number of dimensions. */
  readonly shape: ImageShape;
  /**
   * Whether to create an image array. The last number of the shape is then its number of images.
   *
   * @defaultValue `false`
   */
  readonly array?: boolean;
  /**
   * A buffer whose memory the image uses. The image must be 1-D, or 2-D if a device has `cl_khr_image2d_from_buffer`.
   */
  readonly buffer?: DeviceBuffer;
  /** Host memory to copy or to use; see `hostPointer`. */
  readonly host?: HostMemory;
  /**
   * Whether to copy `host` (`"copy"`), to use its memory (`"use"`), or to allocate host-accessible memory (`"alloc"`).
   */
  readonly hostPointer?: "use" | "copy" | "alloc";
  /** The pitches of the pixels in `host` or `buffer`. Without gaps by default. */
  readonly pitches?: ImagePitches;
  /** Additional pairs of key and value for `clCreateImageWithProperties`. */
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

/** Checks the options of a new image and returns the driver's arguments. */
export function planImage(context: Context, options: ImageOptions): ImagePlan {
  const checked = checkOptions(options, [
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
  const format = checkFormat(checked.format, "options.format");
  const shape = checkShape(checked.shape);
  const buffer = checkBufferOption(checked.buffer);
  const objectType = typeOf(shape.length, checkBoolean(checked.array, "options.array", false), buffer !== undefined);
  const flags = memoryFlags(checked);
  checkContradictions(flags, "an image");
  const host = checkHost(checked, flags);
  const label = checked.label === undefined ? undefined : checkString(checked.label, "options.label");
  const properties = propertyList(checked.properties);
  checkImageSupport(context);
  checkSupported(context, formatFlags(flags, buffer), objectType, format);
  const extent: Extent = [shape[0] as number, shape[1] ?? 1, shape[2] ?? 1];
  const width = extent[0] * format.itemSize;
  const pitches = checkPitches(checked, extent, width, format.itemSize);
  const [row, slice] = [pitches[0] || width, pitches[1] || (pitches[0] || width) * extent[1]];
  const bytes = slice * extent[2];
  checkExtent(context, objectType, extent, bytes);
  if (host !== undefined && byteLengthOf(host) < bytes) {
    throw rangeError("options.host", `at least ${bytes} bytes, the size of the image`, checked.host);
  }
  const hasGaps =
    (flags & MemFlags.COPY_HOST_PTR) !== 0 && host !== undefined && (row !== width || slice !== row * extent[1]);
  if (buffer !== undefined) checkBuffer(context, buffer, objectType, [row, extent[1]], width, format.itemSize);
  const description = {
    order: format.channelOrder,
    type: format.channelType,
    objectType,
    extent,
    pitches: hasGaps ? ([0, 0] as const) : buffer === undefined ? pitches : ([row, 0] as const),
  };
  const memory = hasGaps ? withoutGaps(host, extent, width, [row, slice]) : host;
  return { description, flags, host: memory, buffer, properties, label };
}

/** Copies rows and slices without their gaps, because Oclgrind ignores the pitches when it copies host memory. */
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
    if (overBuffer) throw typeError("options.array", "false, because an image array cannot use a buffer", array);
    if (dimensions === 2) return MemObjectType.IMAGE1D_ARRAY;
    if (dimensions === 3) return MemObjectType.IMAGE2D_ARRAY;
    throw wrongValue("options.shape must have 2 or 3 numbers for an image array; the last one is the number of images");
  }
  if (dimensions === 1) return overBuffer ? MemObjectType.IMAGE1D_BUFFER : MemObjectType.IMAGE1D;
  if (dimensions === 2) return MemObjectType.IMAGE2D;
  if (overBuffer) throw wrongValue("options.shape must have 1 or 2 numbers for an image over options.buffer");
  return MemObjectType.IMAGE3D;
}

/** Checks a shape of one to three numbers. */
function checkShape(value: unknown, name = "options.shape"): readonly number[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) {
    throw typeError(name, "an array of 1 to 3 numbers, the width first", value);
  }
  return Array.from(value as readonly unknown[], (length, i) => checkInteger(length, `${name}[${i}]`, 1));
}

function checkBufferOption(value: DeviceBuffer | undefined): DeviceBuffer | undefined {
  if (value === undefined || value instanceof DeviceBuffer) return value;
  throw typeError("options.buffer", "a DeviceBuffer", value);
}

function checkHost(options: ImageOptions, flags: number): TypedArray | undefined {
  const { host, buffer } = options;
  const uses = (flags & MemFlags.USE_HOST_PTR) !== 0;
  const needsHost = uses || (flags & MemFlags.COPY_HOST_PTR) !== 0;
  if (buffer !== undefined && (host !== undefined || options.hostPointer !== undefined || needsHost)) {
    throw wrongValue(
      "options.host and options.hostPointer cannot be combined with options.buffer, which provides the memory",
    );
  }
  if (host === undefined && needsHost) {
    throw typeError("options.host", `host memory for the image to ${uses ? "use" : "copy"}`, host);
  }
  if (host !== undefined && !needsHost) {
    throw typeError("options.hostPointer", '"copy" or "use" because options.host is given', options.hostPointer);
  }
  return host === undefined ? undefined : hostBytes(host, "options.host", !uses);
}

/** Returns the access flags of the image, which default to those of its buffer. */
function formatFlags(flags: number, buffer: DeviceBuffer | undefined): number {
  const explicit = flags & kernelAccess;
  if (explicit !== 0) return explicit;
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
      "omitted without options.host or options.buffer, whose layout they describe",
      pitches,
    );
  }
  const [row, slice] = twoPitches(pitches, "options.pitches");
  if (row !== 0 && (row < width || row % pixel !== 0)) {
    throw rangeError(
      "options.pitches[0]",
      `a multiple of ${pixel} (bytes of a pixel) and at least ${width} (bytes of a row)`,
      row,
    );
  }
  const minSlice = (row || width) * rows;
  if (slice !== 0 && (slice < minSlice || slice % (row || width) !== 0)) {
    throw rangeError(
      "options.pitches[1]",
      `a multiple of ${row || width} (the row pitch) and at least ${minSlice} (bytes of a slice)`,
      slice,
    );
  }
  return [row, slice];
}

/** Returns row and slice pitch; 0 if omitted. */
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
    throw rangeError("options.buffer", `at least ${bytes} bytes, the size of the image`, buffer.size);
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
