/** A part of the complex plane, and for each point of it how fast it leaves. */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";

import { mandelbrotSource } from "./mandelbrot.cl.js";

/** What to look at. */
export interface View {
  /** The complex number in the middle. */
  readonly center: readonly [re: number, im: number];
  /** How far apart the picture's left and right sides are in the plane. */
  readonly span: number;
  readonly width: number;
  readonly height: number;
  /** A point that is still near after so many steps is taken for one of the set. */
  readonly limit: number;
}

/** The steps for each pixel, row after row: 0 in the set. They stay on the device, as a picture is made there, too. */
export async function mandelbrot(
  queue: CommandQueue,
  { center: [re, im], span, width, height, limit }: View,
): Promise<DeviceBuffer<Float32Array>> {
  const program = await new Program(queue.context, mandelbrotSource).build();
  const steps = DeviceBuffer.empty(queue.context, Float32Array, width * height);
  const pixel = span / width;
  const corner = [re - (pixel * (width - 1)) / 2, im + (pixel * (height - 1)) / 2] as const;
  // The type checker knows from the source: float2 takes two numbers, uint one.
  program.kernel("mandelbrot").launch(queue, { global: [width, height] }, steps, corner, pixel, limit);
  return steps;
}
