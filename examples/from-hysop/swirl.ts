/** A flow that draws a blob out, and then runs backwards until the blob is what it was (LeVeque 1996). */
import type { CommandQueue } from "@cl/core";
import type { Profiler } from "@cl/launcher";

import { DirectionalAdvection } from "./directional-advection.js";
import { field, valuesOf } from "./field.js";

/** What to compute. */
export interface Swirl {
  /** Cells of a side. */
  readonly size: number;
  /** An even number. */
  readonly steps: number;
  /** When the blob is back. */
  readonly period: number;
  readonly profiler?: Profiler;
}

/** The blob, row after row. */
export interface Blob {
  readonly start: Float32Array;
  readonly middle: Float32Array;
  readonly end: Float32Array;
}

/** The blob at the start, when it is drawn out, and when it is back. */
export async function swirl(queue: CommandQueue, { size, steps, period, profiler }: Swirl): Promise<Blob> {
  const scalar = field(queue, size, (x, y) => Math.exp(-((x - 0.5) ** 2 + (y - 0.7) ** 2) / 0.01));
  // The velocities are given in cells, so that kernels need not know how large these are.
  const along = (a: number, b: number): number => size * Math.sin(Math.PI * a) ** 2 * Math.sin(2 * Math.PI * b);
  const velocity = { x: field(queue, size, along), y: field(queue, size, (x, y) => -along(y, x)) };
  const advection = await DirectionalAdvection.create(queue, { scalar, velocity, fastest: size, profiler });

  const seen = [await valuesOf(queue, scalar)];
  await advection.apply(queue, {
    steps,
    dt: period / steps,
    amplitude: (time) => Math.cos((Math.PI * time) / period),
    every: [{ steps: steps / 2, name: "look", run: async () => seen.push(await valuesOf(queue, scalar)) }],
  });
  const [start, middle, end] = seen as [Float32Array, Float32Array, Float32Array];
  return { start, middle, end };
}
