/**
 * A flow with a known solution: an Arnold-Beltrami-Childress flow carried by a stream. Its vorticity equals its velocity without the
 * stream. So advection and stretching cancel, except that the flow moves with the stream, and it decays by exp(-νt).
 */
import type { CommandQueue } from "@cl/core";

import { type Component, valuesOf } from "./field.js";
import { type FlowOptions, NavierStokes, type Simulation } from "./navier-stokes.js";

/** Options of the simulation. */
export type AbcFlow = Omit<FlowOptions, "start" | "stream"> & Simulation;

/** Comparison with the analytic solution. */
export interface Comparison {
  /** Root mean square of the vorticity's error, relative to that of the vorticity. */
  readonly error: number;
  /** Root mean square of the vorticity, relative to that at the start. */
  readonly remaining: number;
}

const stream = [0.5, 0.3, -0.2] as const;

/** Runs the simulation and compares the vorticity at the end. */
export async function abcFlow(queue: CommandQueue, options: AbcFlow): Promise<Comparison> {
  const { size, nu, steps, dt } = options;
  const flow = await NavierStokes.create(queue, { ...options, start: abcVorticity(0, nu), stream });
  await flow.solve(options);
  const values = await flow.vorticity.data();
  const norm = (values: Float32Array): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  const exact = valuesOf(size, abcVorticity(steps * dt, nu));
  return {
    error: norm(values.map((value, i) => value - (exact[i] as number))) / norm(exact),
    remaining: norm(values) / norm(valuesOf(size, abcVorticity(0, nu))),
  };
}

/** Returns the vorticity at a time. */
function abcVorticity(time: number, nu: number): readonly Component[] {
  const { sin, cos, sqrt, exp } = Math;
  const [a, b, c] = [1, sqrt(2 / 3), sqrt(1 / 3)];
  const [u, v, w] = stream;
  const start: readonly Component[] = [
    (_, y, z) => a * sin(z) + c * cos(y),
    (x, _, z) => b * sin(x) + a * cos(z),
    (x, y) => c * sin(y) + b * cos(x),
  ];
  return start.map((component) => (x, y, z) => exp(-nu * time) * component(x - u * time, y - v * time, z - w * time));
}
