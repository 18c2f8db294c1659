/** Gravity between bodies, and the quantities that it conserves. */
import { type CommandQueue, DeviceBuffer, LocalMemory, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, runSteps } from "@cl/launcher";

import { nBodySource } from "./n-body.cl.js";

/** State of the bodies. The gravitational constant is 1. */
export interface Bodies {
  /** x, y, z and mass of each body. */
  readonly positions: Float32Array;
  /** x, y, z of each body; the fourth component is unused. */
  readonly velocities: Float32Array;
}

/** Options of a run. */
export interface Run {
  readonly steps: number;
  readonly dt: number;
  /** Softening length, which keeps the force between near bodies finite. */
  readonly softening: number;
  /** Bodies per tile, a divisor of their number. */
  readonly tile: number;
  /** Called with the positions after each step. */
  readonly onStep?: (positions: Float32Array) => void;
}

/** Returns the state after all steps. */
export async function nBody(queue: CommandQueue, start: Bodies, run: Run): Promise<Bodies> {
  const { steps, dt, softening, tile, onStep } = run;
  const program = await new Program(queue.context, nBodySource).build();
  const positions = DeviceBuffer.from(queue.context, start.positions);
  const velocities = DeviceBuffer.from(queue.context, start.velocities);
  const count = start.positions.length / 4;
  const kick = new KernelLauncher("kick", program.kernel("kick"), {
    args: [positions, velocities, new LocalMemory(16 * tile), softening],
    parameters: ["dt"],
    global: count,
    local: tile,
  });
  const drift = new KernelLauncher("drift", program.kernel("drift"), {
    args: [positions, velocities],
    parameters: ["dt"],
    global: count,
  });
  const step = new ListLauncher("leapfrog").push(drift, kick);
  // Leapfrog: velocities are half a step ahead. This is second-order accurate and conserves the energy.
  kick.launch(queue, { dt: dt / 2 });
  const every = onStep && [{ steps: 1, name: "onStep", run: async () => onStep(await queue.read(positions)) }];
  await runSteps(step, { queue, steps, parameters: { dt }, ...(every && { every }) });
  kick.launch(queue, { dt: -dt / 2 });
  return { positions: await queue.read(positions), velocities: await queue.read(velocities) };
}

/** Returns energy and momentum, computed in double precision. */
export function measure({ positions, velocities }: Bodies, softening: number): { energy: number; momentum: number[] } {
  let energy = 0;
  const momentum = [0, 0, 0];
  const at = (array: Float32Array, i: number): number[] => [...array.subarray(4 * i, 4 * i + 4)];
  for (let i = 0; i < positions.length / 4; i++) {
    const [[x = 0, y = 0, z = 0, mass = 0], velocity] = [at(positions, i), at(velocities, i)];
    for (const axis of [0, 1, 2]) {
      const speed = velocity[axis] as number;
      energy += (mass * speed ** 2) / 2;
      momentum[axis] = (momentum[axis] as number) + mass * speed;
    }
    for (let j = 0; j < i; j++) {
      const [x2 = 0, y2 = 0, z2 = 0, mass2 = 0] = positions.subarray(4 * j, 4 * j + 4);
      energy -= (mass * mass2) / Math.hypot(x - x2, y - y2, z - z2, softening);
    }
  }
  return { energy, momentum };
}
