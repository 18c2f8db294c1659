/** Makes images from arrays, and arrays from images. */
import type { Arrays, DeviceArray } from "@cl/array";
import { type CommandQueue, Image, ImageFormat, type ImageShape } from "@cl/core";

import { UsageError } from "../../command.js";
import type { ImageKind, Parameter } from "./parameters.js";

/** An image with the elements of an array, and how to get them back. */
export interface ImageArgument {
  readonly image: Image;
  /** Reads the image into an array like the one that it was made from. */
  readonly read: () => Promise<DeviceArray>;
}

/** Element types of pixels. */
const pixelTypes = new Set(["int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float32"]);

/**
 * Makes an image for a parameter. The array's axes are those of the image, the width last, and the channels behind them if
 * there are several. `normalized` integers are read as fractions by kernels.
 */
export async function makeImage(
  array: DeviceArray,
  normalized: boolean,
  parameter: Parameter,
  queue: CommandQueue,
): Promise<ImageArgument> {
  const kind = parameter.image as ImageKind;
  const { dtype, shape } = array;
  const xp: Arrays = array.xp;
  const pixels = pixelsOf(shape, kind, parameter);
  const format = formatOf(dtype.name, pixels.channels, normalized, kind, parameter);
  const image = new Image(queue.context, {
    format,
    shape: pixels.shape,
    host: await array.data(),
    hostPointer: "copy",
    ...(kind.isArray ? { array: true } : {}),
  });
  const read = async (): Promise<DeviceArray> => xp.fromHost(await queue.read(image), { dtype: dtype.name, shape });
  return { image, read };
}

function pixelsOf(
  shape: readonly number[],
  { axes, isArray, isDepth }: ImageKind,
  { words }: Parameter,
): { readonly shape: ImageShape; readonly channels: number } {
  const hasChannels = !isDepth && shape.length === axes + 1;
  const channels = hasChannels ? (shape.at(-1) as number) : 1;
  if ((hasChannels || shape.length === axes) && channels >= 1 && channels <= 4) {
    return { shape: shape.slice(0, axes).toReversed() as unknown as ImageShape, channels };
  }
  const example = ["640", "480,640", "32,480,640"][axes - 1] as string;
  const what = isArray ? "an array of images" : "an image";
  const more = isDepth ? "" : ` or, with 1 to 4 channels, float32[${example},4]`;
  throw new UsageError(`${words}: expected ${what}, as float32[${example}]${more}, received [${shape.join(",")}].`);
}

function formatOf(
  dtype: string,
  channels: number,
  normalized: boolean,
  { isDepth }: ImageKind,
  { words }: Parameter,
): ImageFormat {
  if (!pixelTypes.has(dtype)) {
    throw new UsageError(`${words}: expected pixels of ${[...pixelTypes].join(", ")}, received ${dtype}.`);
  }
  if (normalized && !/^u?int(?:8|16)$/u.test(dtype)) {
    throw new UsageError(`${words}: norm: needs int8, uint8, int16 or uint16, received ${dtype}.`);
  }
  const name = normalized ? dtype.replace(/^u?int/u, (sign) => (sign === "int" ? "snorm" : "unorm")) : dtype;
  const order = isDepth ? "DEPTH" : (["R", "RG", "RGB", "RGBA"] as const)[channels - 1];
  return ImageFormat.fromDtype(order as "R", name);
}
