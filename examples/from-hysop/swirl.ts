/** A flow that stretches a blob and then reverses until the blob has its original shape (LeVeque 1996). */
import type { CommandQueue } from "@cl/core";
import type { Profiler } from "@cl/launcher";

import { DirectionalAdvection } from "./directional-advection.js";
import { field, valuesOf } from "./field.js";

/** Options of the simulation. */
export interface Swirl {
  /** Cells per side. */
  readonly size: number;
  /** Number of timesteps, even. */
  readonly steps: number;
  /** Time at which the blob has its original shape again. */
  readonly period: number;
  readonly profiler?: Profiler;
}

/** The blob at three times, row by row. */
export interface Blob {
  readonly start: Float32Array;
  readonly middle: Float32Array;
  readonly end: Float32Array;
}

/** Runs the simulation and returns the blob at the start, after half of the steps and at the end. */
export async function swirl(queue: CommandQueue, { size, steps, period, profiler }: Swirl): Promise<Blob> {
  const scalar = field(queue, size, (x, y) => Math.exp(-((x - 0.5) ** 2 + (y - 0.7) ** 2) / 0.01));
  // Velocities are in cells, so that the kernels do not depend on the cell size.
  const along = (a: number, b: number): number => size * Math.sin(Math.PI * a) ** 2 * Math.sin(2 * Math.PI * b);
  const velocity = { x: field(queue, size, along), y: field(queue, size, (x, y) => -along(y, x)) };
  const advection = await DirectionalAdvection.create(queue, { scalar, velocity, fastest: size, profiler });

  const snapshots = [await valuesOf(queue, scalar)];
  await advection.apply(queue, {
    steps,
    dt: period / steps,
    amplitude: (time) => Math.cos((Math.PI * time) / period),
    every: [{ steps: steps / 2, name: "snapshot", run: async () => snapshots.push(await valuesOf(queue, scalar)) }],
  });
  const [start, middle, end] = snapshots as [Float32Array, Float32Array, Float32Array];
  return { start, middle, end };
}
