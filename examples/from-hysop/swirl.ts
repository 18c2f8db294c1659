/** Advection of a scalar: a flow stretches a blob and then reverses until the blob has its original shape (LeVeque 1996). */
import { type Arrays, arrays } from "@cl/array";
import type { CommandQueue } from "@cl/core";
import { runSteps } from "@cl/launcher";

import { checkTimestep, DirectionalAdvection } from "./directional-advection.js";
import { type Field, field } from "./field.js";
import type { RemeshKernel } from "./remesh.cl.js";
import { strangSplitting } from "./strang-splitting.js";

/** Options of the simulation. */
export interface Swirl {
  /** Cells per side. */
  readonly size: number;
  /** Number of timesteps, even. */
  readonly steps: number;
  readonly remesh?: RemeshKernel | undefined;
}

/** The blob at three times, with the indices z, y, x. */
export interface Blob {
  readonly start: Float32Array;
  readonly middle: Float32Array;
  readonly end: Float32Array;
}

/** Runs the simulation for a unit of time, and returns the blob at the start, after half of the steps and at the end. */
export async function swirl(queue: CommandQueue, { size, steps, remesh }: Swirl): Promise<Blob> {
  const xp = arrays(queue);
  const velocity = swirlVelocity(xp, size);
  const blob = field(xp, size, [(x, y, z) => Math.exp(-((x - 2.2) ** 2 + (y - 2.2) ** 2 + (z - 2.2) ** 2) / 0.4)]);
  const dt = 1 / steps;
  checkTimestep(dt, await velocity.absolute().max().item(), size);

  const advection = await DirectionalAdvection.create(xp, { velocity, components: 1, remesh });
  const step = strangSplitting([advection], blob, xp.zerosLike(blob));
  const snapshots = [await blob.data()];
  await runSteps(step, {
    queue,
    steps,
    // All velocities have the factor cos(πt), so it is the timestep that changes.
    parameters: (n) => ({ dt: dt * Math.cos(Math.PI * (n + 0.5) * dt) }),
    every: [{ steps: steps / 2, name: "snapshot", run: async () => snapshots.push(await blob.data()) }],
  });
  const [start, middle, end] = snapshots as [Float32Array, Float32Array, Float32Array];
  return { start, middle, end };
}

/** Velocity at the start. */
function swirlVelocity(xp: Arrays, size: number): Field {
  const { PI, sin } = Math;
  const round = (x: number): number => sin(x / 2) ** 2;
  return field(xp, size, [
    (x, y, z) => 4 * PI * round(x) * sin(y) * sin(z),
    (x, y, z) => -2 * PI * sin(x) * round(y) * sin(z),
    (x, y, z) => -2 * PI * sin(x) * sin(y) * round(z),
  ]);
}
