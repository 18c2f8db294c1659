/** The Taylor-Green vortex: vortices stretch each other, which makes ever smaller ones, until viscosity dissipates their energy. */
import type { DeviceArray } from "@cl/array";
import type { CommandQueue } from "@cl/core";

import type { Component } from "./field.js";
import { type FlowOptions, NavierStokes, type Simulation } from "./navier-stokes.js";

/** Options of the simulation. `steps` must be a multiple of 3. */
export type TaylorGreen = Omit<FlowOptions, "start" | "stream"> & Omit<Simulation, "every">;

export interface TaylorGreenResult {
  /** Mean kinetic energy at the start and at the end. */
  readonly energy: readonly [number, number];
  /** Energy that viscosity has dissipated, computed from the enstrophy at all times. */
  readonly dissipated: number;
  /** Magnitudes of the vorticity in a plane at four times, next to each other. The maximum of each is 1. */
  readonly picture: DeviceArray<"float32">;
}

/** Vorticity of the velocity (sin x cos y cos z, -cos x sin y cos z, 0). */
const taylorGreenVorticity: readonly Component[] = [
  (x, y, z) => -Math.cos(x) * Math.sin(y) * Math.sin(z),
  (x, y, z) => -Math.sin(x) * Math.cos(y) * Math.sin(z),
  (x, y, z) => 2 * Math.sin(x) * Math.sin(y) * Math.cos(z),
];

export async function taylorGreen(queue: CommandQueue, options: TaylorGreen): Promise<TaylorGreenResult> {
  const { size, steps, dt, nu } = options;
  const flow = await NavierStokes.create(queue, { ...options, start: taylorGreenVorticity });
  const energy = (): Promise<number> => halfSquares(flow.velocity);
  const planes: DeviceArray<"float32">[] = [];
  const draw = (): void => {
    const plane = flow.vorticity.slice(":", ":", ":", Math.floor(size / 4));
    const magnitude = plane.mul(plane).sum({ axis: 0 }).sqrt();
    planes.push(magnitude.div(magnitude.max()).eval());
  };
  let dissipated = 0;
  let before = await halfSquares(flow.vorticity);
  const dissipate = async (): Promise<void> => {
    const enstrophy = await halfSquares(flow.vorticity);
    dissipated += dt * nu * (before + enstrophy);
    before = enstrophy;
  };

  const start = await energy();
  const every = [
    { steps: 1, name: "dissipation", run: dissipate },
    { steps: steps / 3, first: true, name: "picture", run: draw },
  ];
  await flow.solve({ ...options, every });
  const picture = flow.xp.concatenate(planes, { axis: 1 });
  return { energy: [start, await energy()], dissipated, picture };
}

/** Returns half of the mean square of a field's vectors. */
async function halfSquares(field: DeviceArray<"float32">): Promise<number> {
  return 1.5 * (await field.mul(field).mean().item());
}
