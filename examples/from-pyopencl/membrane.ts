/** A drum whose skin is thicker in one corner: the port of membrane.py, in the same order. */
import { arrays, ElementwiseKernel, ReductionKernel } from "@cl/array";
import { CommandQueue, CommandStatistics, Context, DeviceBuffer, Program } from "@cl/core";

import { energySource, source } from "./membrane.cl.js";

/** What a run gives. */
export interface Vibration {
  /** Where the skin is at the end, row after row. */
  readonly u: Float32Array;
  /** At the start, and after every hundred steps. */
  readonly energies: readonly number[];
  /** Of the kernel leapfrog, on the device. */
  readonly nanoseconds: number;
}

/** How it is done; the rest follows from the start. */
export interface Options {
  readonly steps: number;
  readonly tension?: number;
  readonly damping?: number;
}

/** A dent beside the middle. */
export function struck(size: number): Float32Array {
  const inside = (place: number): boolean => place > 0 && place < size - 1;
  return grid(size, (x, y) => {
    const far = (x / (size - 1) - 0.4) ** 2 + (y / (size - 1) - 0.45) ** 2;
    return inside(x) && inside(y) ? Math.exp(-100 * far) : 0;
  });
}

/** Four times as heavy in a corner. */
export function patched(size: number): Float32Array {
  const half = Math.floor(size / 2);
  return grid(size, (x, y) => (x >= half && y >= half ? 4 : 1));
}

/** The kernels over arrays belong to no context: they can be made once for all. */
const damp = new ElementwiseKernel(
  "float *after, const float *u, const float *before, float damping",
  "after[i] -= damping * (u[i] - before[i])",
  { name: "damp" },
);
const energy = new ReductionKernel(
  "const float *u, const float *before, const float *density, float tension, int size",
  {
    dtype: "float32",
    neutral: "0",
    reduce: "a + b",
    map: "energy_of(u, before, density[i], tension, i, size)",
    preamble: energySource,
  },
);

/** So many steps from the start. */
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

  // Nothing waits: the numbers come when the device is there.
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

/** A value for each place, row after row. */
function grid(size: number, value: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: size * size }, (_, i) => value(i % size, Math.floor(i / size)));
}
