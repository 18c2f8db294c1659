/** Two-dimensional incompressible flow in vorticity and stream function. */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, runSteps } from "@cl/launcher";

import { flowSource } from "./flow.cl.js";

/** A flow on the square 0 ≤ x, y < 2π with periodic boundaries. */
export interface Flow {
  /** Cells per side, even. */
  readonly size: number;
  /** Viscosity. */
  readonly nu: number;
  readonly dt: number;
  /** Number of timesteps, even. */
  readonly steps: number;
  /** Initial vorticity. Its mean must be 0, or no stream function exists. */
  readonly start: (x: number, y: number) => number;
}

/** Vorticity and stream function, row by row. */
export interface Fields {
  readonly omega: Float32Array;
  readonly psi: Float32Array;
}

/** Sweeps per step. Few are enough, because ψ starts at the previous step's solution. */
const sweeps = 8;

/** Returns the flow after all steps. */
export async function flow(queue: CommandQueue, { size, nu, dt, steps, start }: Flow): Promise<Fields> {
  const { context } = queue;
  const program = await new Program(context, flowSource).build();
  const h = (2 * Math.PI) / size;
  const values = Float32Array.from({ length: size * size }, (_, i) => start((i % size) * h, Math.floor(i / size) * h));
  const now = DeviceBuffer.from(context, values);
  const next = DeviceBuffer.empty(context, Float32Array, size * size);
  const psi = DeviceBuffer.from(context, new Float32Array(size * size));

  // The optimal over-relaxation factor.
  const factor = 2 / (1 + Math.sin(h));
  const solve = (omega: DeviceBuffer<Float32Array>): ListLauncher => {
    const list = new ListLauncher("solve");
    for (let i = 0; i < 2 * sweeps; i++) {
      const args = [psi, omega, i % 2, factor, h] as const;
      list.push(new KernelLauncher("relax", program.kernel("relax"), { args, global: [size / 2, size] }));
    }
    return list;
  };
  const advance = (from: DeviceBuffer<Float32Array>, to: DeviceBuffer<Float32Array>): KernelLauncher =>
    new KernelLauncher("advance", program.kernel("advance"), {
      args: [from, psi, to, h, nu, dt],
      global: [size, size],
    });

  // Solve for the initial ψ, then launch two steps at a time, so that the result is in the first field again.
  await runSteps(solve(now), { queue, steps: size });
  const twoSteps = new ListLauncher("flow").push(advance(now, next), solve(next), advance(next, now), solve(now));
  await runSteps(twoSteps, { queue, steps: steps / 2 });
  const [omega, stream] = await Promise.all([queue.read(now), queue.read(psi)]);
  return { omega, psi: stream };
}
