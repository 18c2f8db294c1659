/** A separable Gaussian blur: along the rows, then along the columns. */
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

/** A grayscale image, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Values outside of the image: those of the nearest edge pixel, or black. */
export type Border = "edge" | "dark";

/** Blurs an image with a Gaussian of the standard deviation `sigma`, in pixels. */
export async function blur(
  queue: CommandQueue,
  { width, height, data }: Picture,
  sigma: number,
  border: Border,
): Promise<Float32Array> {
  const { context } = queue;
  const program = await new Program(context, blurSource).build();
  const before = imageFromArray(context, { data, shape: [height, width] });
  const [intermediate, after] = [0, 1].map(() =>
    Image.empty(context, new ImageFormat("R", "FLOAT"), [width, height]),
  ) as [Image, Image];
  const sampler = new Sampler(context, {
    normalizedCoordinates: false,
    addressingMode: border === "edge" ? AddressingMode.CLAMP_TO_EDGE : AddressingMode.CLAMP,
    filterMode: FilterMode.NEAREST,
  });
  const gaussian = weightsOf(sigma);
  const [weights, radius] = [DeviceBuffer.from(context, gaussian), (gaussian.length - 1) / 2];
  const kernel = program.kernel("blur");
  const sizes = { global: [width, height] };
  // Two passes over 2r + 1 pixels instead of one over (2r + 1)².
  kernel.launch(queue, sizes, before, intermediate, sampler, weights, radius, [1, 0]);
  kernel.launch(queue, sizes, intermediate, after, sampler, weights, radius, [0, 1]);
  return (await queue.read(after)) as Float32Array;
}

/** Returns the Gaussian's weights up to three standard deviations, normalized to a sum of 1. */
export function weightsOf(sigma: number): Float32Array {
  const radius = Math.ceil(3 * sigma);
  const gaussian = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)),
  );
  const sum = gaussian.reduce((all, value) => all + value, 0);
  return Float32Array.from(gaussian, (value) => value / sum);
}
