/** Computes how fast the points of a part of the complex plane escape. */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";

import { mandelbrotSource } from "./mandelbrot.cl.js";

/** A rectangle of the complex plane. */
export interface View {
  /** Complex number at the center. */
  readonly center: readonly [re: number, im: number];
  /** Width of the rectangle in the plane. */
  readonly span: number;
  readonly width: number;
  readonly height: number;
  /** Maximum number of steps; a point that has not escaped by then counts as part of the set. */
  readonly limit: number;
}

/** Computes the step count of each pixel, row by row; 0 in the set. The result stays on the device. */
export async function mandelbrot(
  queue: CommandQueue,
  { center: [re, im], span, width, height, limit }: View,
): Promise<DeviceBuffer<Float32Array>> {
  const program = await new Program(queue.context, mandelbrotSource).build();
  const steps = DeviceBuffer.empty(queue.context, Float32Array, width * height);
  const pixel = span / width;
  const corner = [re - (pixel * (width - 1)) / 2, im + (pixel * (height - 1)) / 2] as const;
  // TypeScript infers the arguments from the source: two numbers for float2, one for uint.
  program.kernel("mandelbrot").launch(queue, { global: [width, height] }, steps, corner, pixel, limit);
  return steps;
}
