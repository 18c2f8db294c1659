/** A vibrating drum whose skin is heavier in one corner: the port of membrane.py, in the same order. */
import { arrays, ElementwiseKernel, ReductionKernel } from "@cl/array";
import { CommandQueue, CommandStatistics, Context, DeviceBuffer, Program } from "@cl/core";

import { energySource, source } from "./membrane.cl.js";

/** Result of a run. */
export interface Vibration {
  /** Displacement at the end, row by row. */
  readonly u: Float32Array;
  /** Energy at the start and after every hundred steps. */
  readonly energies: readonly number[];
  /** Device time of the leapfrog kernel. */
  readonly nanoseconds: number;
}

/** Options of a run. */
export interface Options {
  readonly steps: number;
  readonly tension?: number;
  readonly damping?: number;
}

/** Returns a dent next to the center. */
export function struck(size: number): Float32Array {
  const inside = (index: number): boolean => index > 0 && index < size - 1;
  return grid(size, (x, y) => {
    const square = (x / (size - 1) - 0.4) ** 2 + (y / (size - 1) - 0.45) ** 2;
    return inside(x) && inside(y) ? Math.exp(-100 * square) : 0;
  });
}

/** Returns a density that is four times as high in one corner. */
export function patched(size: number): Float32Array {
  const half = Math.floor(size / 2);
  return grid(size, (x, y) => (x >= half && y >= half ? 4 : 1));
}

/** Kernels over arrays do not belong to a context, so they can be created once. */
const damp = new ElementwiseKernel(
  "float *after, const float *u, const float *before, float damping",
  "after[i] -= damping * (u[i] - before[i])",
  { name: "damp" },
);
const energy = new ReductionKernel(
  "const float *u, const float *before, const float *density, float tension, int size",
  {
    dtype: "float32",
    identity: "0",
    reduce: "a + b",
    map: "energy_of(u, before, density[i], tension, i, size)",
    preamble: energySource,
  },
);

/** Simulates `steps` timesteps. */
export async function vibrate(
  start: Float32Array,
  density: Float32Array,
  { steps, tension = 0.4, damping = 0 }: Options,
): Promise<Vibration> {
  const size = Math.sqrt(start.length);
  const context = Context.create();
  const queue = new CommandQueue(context, { profiling: true });
  const xp = arrays(queue);

  const program = await new Program(context, source).build({ options: `-DSIZE=${size}` });
  const leapfrog = program.kernel("leapfrog");

  const densityBuffer = DeviceBuffer.from(context, density, { access: "read-only" });
  const densityArray = xp.asArray(densityBuffer);
  let u = xp.array(start);
  let before = u.copy();
  let after = xp.zerosLike(u);

  // Does not block: the promise resolves when the device has computed the energy.
  const energyNow = (): Promise<number> => energy.run(u, before, densityArray, tension, size).item();

  const timed = new CommandStatistics();
  leapfrog.statistics = timed;
  const energies = [energyNow()];
  for (let step = 1; step <= steps; step++) {
    const sizes = { global: [size - 2, size - 2] };
    leapfrog.launch(queue, sizes, u, before, densityBuffer, after, tension);
    damp.launch(after, u, before, damping);
    [before, u, after] = [u, after, before];
    if (step % 100 === 0) energies.push(energyNow());
  }

  await queue.finish();
  const nanoseconds = timed.snapshot().total;
  return { u: await u.data(), energies: await Promise.all(energies), nanoseconds };
}

/** Evaluates `value` at each grid point, row by row. */
function grid(size: number, value: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: size * size }, (_, i) => value(i % size, Math.floor(i / size)));
}
