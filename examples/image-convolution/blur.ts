/** A Gaussian blur: the product of a blur along the rows and one along the columns. */
import {
  AddressingMode,
  type CommandQueue,
  DeviceBuffer,
  FilterMode,
  Image,
  ImageFormat,
  imageFromArray,
  Program,
  Sampler,
} from "@cl/core";

import { blurSource } from "./blur.cl.js";

/** Brightness, row after row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** What lies outside of a picture: the pixels at its edge go on, or it is dark. */
export type Border = "edge" | "dark";

/** Blurs a picture with a bell of the standard deviation `sigma`, in pixels. */
export async function blur(
  queue: CommandQueue,
  { width, height, data }: Picture,
  sigma: number,
  border: Border,
): Promise<Float32Array> {
  const { context } = queue;
  const program = await new Program(context, blurSource).build();
  const before = imageFromArray(context, { data, shape: [height, width] });
  const [between, after] = [0, 1].map(() => Image.empty(context, new ImageFormat("R", "FLOAT"), [width, height])) as [
    Image,
    Image,
  ];
  const sampler = new Sampler(context, {
    normalizedCoordinates: false,
    addressingMode: border === "edge" ? AddressingMode.CLAMP_TO_EDGE : AddressingMode.CLAMP,
    filterMode: FilterMode.NEAREST,
  });
  const bell = weightsOf(sigma);
  const [weights, radius] = [DeviceBuffer.from(context, bell), (bell.length - 1) / 2];
  const kernel = program.kernel("blur");
  const sizes = { global: [width, height] };
  // Two lines of 2r + 1 pixels, instead of a square of (2r + 1)².
  kernel.launch(queue, sizes, before, between, sampler, weights, radius, [1, 0]);
  kernel.launch(queue, sizes, between, after, sampler, weights, radius, [0, 1]);
  return (await queue.read(after)) as Float32Array;
}

/** The bell's values as far as they count; their sum is 1, so that nothing gets brighter. */
export function weightsOf(sigma: number): Float32Array {
  const radius = Math.ceil(3 * sigma);
  const bell = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)),
  );
  const sum = bell.reduce((all, value) => all + value, 0);
  return Float32Array.from(bell, (value) => value / sum);
}
