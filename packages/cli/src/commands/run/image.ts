/** Converts arrays to images and back. */
import type { Arrays, DeviceArray } from "@cl/array";
import { type CommandQueue, Image, ImageFormat, type ImageShape } from "@cl/core";

import { UsageError } from "../../command.js";
import type { ImageKind, Parameter } from "./parameters.js";

/** An image with the elements of an array. */
export interface ImageArgument {
  readonly image: Image;
  /** Reads the image into an array with the shape and dtype of the original. */
  readonly read: () => Promise<DeviceArray>;
}

/** Supported element types of pixels. */
const pixelTypes = new Set(["int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float32"]);

/**
 * Creates an image for a parameter. The array's axes are those of the image, width last, optionally followed by the channels.
 * Kernels read `normalized` integers as fractions.
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
  { label }: Parameter,
): { readonly shape: ImageShape; readonly channels: number } {
  const hasChannels = !isDepth && shape.length === axes + 1;
  const channels = hasChannels ? (shape.at(-1) as number) : 1;
  if ((hasChannels || shape.length === axes) && channels >= 1 && channels <= 4) {
    return { shape: shape.slice(0, axes).toReversed() as unknown as ImageShape, channels };
  }
  const example = ["640", "480,640", "32,480,640"][axes - 1] as string;
  const noun = isArray ? "an array of images" : "an image";
  const withChannels = isDepth ? "" : ` or, with 1 to 4 channels, float32[${example},4]`;
  throw new UsageError(
    `${label} must be ${noun}, such as float32[${example}]${withChannels}, received [${shape.join(",")}].`,
  );
}

function formatOf(
  dtype: string,
  channels: number,
  normalized: boolean,
  { isDepth }: ImageKind,
  { label }: Parameter,
): ImageFormat {
  if (!pixelTypes.has(dtype)) {
    throw new UsageError(`${label} must have pixels of ${[...pixelTypes].join(", ")}, received ${dtype}.`);
  }
  if (normalized && !/^u?int(?:8|16)$/u.test(dtype)) {
    throw new UsageError(`${label}: norm: requires int8, uint8, int16 or uint16, received ${dtype}.`);
  }
  const name = normalized ? dtype.replace(/^u?int/u, (sign) => (sign === "int" ? "snorm" : "unorm")) : dtype;
  const order = isDepth ? "DEPTH" : (["R", "RG", "RGB", "RGBA"] as const)[channels - 1];
  return ImageFormat.fromDtype(order as "R", name);
}
