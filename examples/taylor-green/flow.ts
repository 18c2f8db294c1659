/** Incompressible flow in two dimensions: its vorticity, and the stream function that follows from it. */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, runSteps } from "@cl/launcher";

import { flowSource } from "./flow.cl.js";

/** What flows, on the square 0 ≤ x, y < 2π, whose opposite sides meet. */
export interface Flow {
  /** Cells of a side, an even number. */
  readonly size: number;
  /** Viscosity. */
  readonly nu: number;
  readonly dt: number;
  /** Time steps, an even number. */
  readonly steps: number;
  /** The vorticity at the start. Its mean must be 0, as there is no stream function otherwise. */
  readonly start: (x: number, y: number) => number;
}

/** Row after row. */
export interface Fields {
  readonly omega: Float32Array;
  readonly psi: Float32Array;
}

/** Sweeps over the board for each step: ψ begins where it was in the last one, so that few do. */
const sweeps = 8;

/** The flow after all steps. */
export async function flow(queue: CommandQueue, { size, nu, dt, steps, start }: Flow): Promise<Fields> {
  const { context } = queue;
  const program = await new Program(context, flowSource).build();
  const h = (2 * Math.PI) / size;
  const values = Float32Array.from({ length: size * size }, (_, i) => start((i % size) * h, Math.floor(i / size) * h));
  const now = DeviceBuffer.from(context, values);
  const next = DeviceBuffer.empty(context, Float32Array, size * size);
  const psi = DeviceBuffer.from(context, new Float32Array(size * size));

  // The factor that is the best one for the longest wave.
  const over = 2 / (1 + Math.sin(h));
  const solve = (omega: DeviceBuffer<Float32Array>): ListLauncher => {
    const list = new ListLauncher("solve");
    for (let i = 0; i < 2 * sweeps; i++) {
      const args = [psi, omega, i % 2, over, h] as const;
      list.push(new KernelLauncher("relax", program.kernel("relax"), { args, global: [size / 2, size] }));
    }
    return list;
  };
  const advance = (from: DeviceBuffer<Float32Array>, to: DeviceBuffer<Float32Array>): KernelLauncher =>
    new KernelLauncher("advance", program.kernel("advance"), {
      args: [from, psi, to, h, nu, dt],
      global: [size, size],
    });

  // At first ψ is known nowhere; later a step is a few sweeps. Two steps: there, and back into the first field.
  await runSteps(solve(now), { queue, steps: size });
  const twice = new ListLauncher("flow").push(advance(now, next), solve(next), advance(next, now), solve(now));
  await runSteps(twice, { queue, steps: steps / 2 });
  const [omega, stream] = await Promise.all([queue.read(now), queue.read(psi)]);
  return { omega, psi: stream };
}
