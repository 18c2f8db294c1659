/** Gravity between any number of bodies, and what it must not change. */
import { type CommandQueue, DeviceBuffer, LocalMemory, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, runSteps } from "@cl/launcher";

import { nBodySource } from "./n-body.cl.js";

/** Bodies at one time. The constant of gravity is 1. */
export interface Bodies {
  /** x, y, z and the mass of each. */
  readonly places: Float32Array;
  /** Of each, too: its fourth number is not used. */
  readonly velocities: Float32Array;
}

/** How to let time pass. */
export interface Run {
  readonly steps: number;
  readonly dt: number;
  /** Pulls are as if bodies were never nearer than this, so that none becomes infinite. */
  readonly softening: number;
  /** Bodies of a tile: a divisor of their number. */
  readonly tile: number;
  /** Sees where the bodies are after each step. */
  readonly watch?: (places: Float32Array) => void;
}

/** Where the bodies are after all steps. */
export async function nBody(queue: CommandQueue, start: Bodies, run: Run): Promise<Bodies> {
  const { steps, dt, softening, tile, watch } = run;
  const program = await new Program(queue.context, nBodySource).build();
  const places = DeviceBuffer.from(queue.context, start.places);
  const velocities = DeviceBuffer.from(queue.context, start.velocities);
  const count = start.places.length / 4;
  const kick = new KernelLauncher("kick", program.kernel("kick"), {
    args: [places, velocities, new LocalMemory(16 * tile), softening],
    parameters: ["dt"],
    global: count,
    local: tile,
  });
  const drift = new KernelLauncher("drift", program.kernel("drift"), {
    args: [places, velocities],
    parameters: ["dt"],
    global: count,
  });
  const step = new ListLauncher("leapfrog").push(drift, kick);
  // Leapfrog: velocities are half a step ahead, which makes the error of second order, and the energy stay.
  kick.launch(queue, { dt: dt / 2 });
  const every = watch && [{ steps: 1, name: "watch", run: async () => watch(await queue.read(places)) }];
  await runSteps(step, { queue, steps, parameters: { dt }, ...(every && { every }) });
  kick.launch(queue, { dt: -dt / 2 });
  return { places: await queue.read(places), velocities: await queue.read(velocities) };
}

/** Energy and momentum, in double precision. */
export function measure({ places, velocities }: Bodies, softening: number): { energy: number; momentum: number[] } {
  let energy = 0;
  const momentum = [0, 0, 0];
  const at = (array: Float32Array, i: number): number[] => [...array.subarray(4 * i, 4 * i + 4)];
  for (let i = 0; i < places.length / 4; i++) {
    const [[x = 0, y = 0, z = 0, mass = 0], velocity] = [at(places, i), at(velocities, i)];
    for (const axis of [0, 1, 2]) {
      const speed = velocity[axis] as number;
      energy += (mass * speed ** 2) / 2;
      momentum[axis] = (momentum[axis] as number) + mass * speed;
    }
    for (let j = 0; j < i; j++) {
      const [x2 = 0, y2 = 0, z2 = 0, mass2 = 0] = places.subarray(4 * j, 4 * j + 4);
      energy -= (mass * mass2) / Math.hypot(x - x2, y - y2, z - z2, softening);
    }
  }
  return { energy, momentum };
}
