/** Taylor-Green vortices in a periodic plane: they keep their shape, and viscosity slows them down by a known factor. */
import type { CommandQueue } from "@cl/core";
import { runSteps } from "@cl/launcher";

import { type Flow, lattice, omegaOf, type Precision } from "./lattice.js";
import type { Divide, Size } from "./part.js";

/** Options of the vortices. */
export interface VorticesOptions {
  /** Cells along the two axes of the plane. */
  readonly cells: number;
  /** The viscosity that is set, in cells² per step. */
  readonly viscosity: number;
  /** An even number of steps. */
  readonly steps: number;
  /** The axes of the plane: 0 is x. @defaultValue [0, 2] */
  readonly axes?: readonly [0 | 1 | 2, 0 | 1 | 2];
  /** @defaultValue "float32" */
  readonly precision?: Precision;
  readonly divide?: Divide | undefined;
}

/** What is measured at the end. */
export interface Decay {
  /** The viscosity that the loss of kinetic energy corresponds to. */
  readonly viscosity: number;
  /** The largest difference from the analytic velocity, relative to the largest velocity at the start. */
  readonly error: number;
  /** The relative change of the mass. */
  readonly massChange: number;
}

/** The largest velocity at the start, in cells per step. */
const speed = 0.02;

/** Runs the vortices, and compares them with their analytic decay, in the process that reads the flow. */
export async function vortices(queue: CommandQueue, options: VorticesOptions): Promise<Decay | undefined> {
  const { cells, viscosity, steps, axes = [0, 2], precision = "float32", divide } = options;
  const [a, b] = axes;
  // Nothing changes along the third axis.
  const extent = (axis: number): number => (axis === a || axis === b ? cells : 2);
  const size: Size = [extent(0), extent(1), extent(2)];
  const k = (2 * Math.PI) / cells;
  const velocityAt = (...at: readonly [number, number, number]): [number, number, number] => {
    const velocity: [number, number, number] = [0, 0, 0];
    velocity[a] = speed * Math.cos(k * at[a]) * Math.sin(k * at[b]);
    velocity[b] = -speed * Math.sin(k * at[a]) * Math.cos(k * at[b]);
    return velocity;
  };
  const flow = await lattice(queue, { size, velocityAt, precision, divide });
  const start = await flow.read();
  const parameters = { omega: omegaOf(viscosity), inflow: 0, wall: 0 };
  await runSteps(flow.steps, { queue, steps: steps / 2, parameters });
  const end = await flow.read();
  if (start === undefined || end === undefined) return undefined;

  // Velocities decay by exp(-2νk²t), energies by the square of that.
  const remaining = energyOf(end) / energyOf(start);
  const factor = Math.exp(-2 * viscosity * k * k * steps);
  const error = Math.max(
    ...([0, 1, 2] as const).map((axis) =>
      largestDifference(end.velocity[axis], (cell) => factor * (start.velocity[axis][cell] as number)),
    ),
  );
  return {
    viscosity: -Math.log(remaining) / (4 * k * k * steps),
    error: error / speed,
    massChange: sum(end.density) / sum(start.density) - 1,
  };
}

function energyOf({ density, velocity }: Flow): number {
  return sum(density.map((rho, i) => rho * velocity.reduce((all, values) => all + (values[i] as number) ** 2, 0)));
}

function largestDifference(values: Float32Array, expected: (i: number) => number): number {
  return values.reduce((largest, value, i) => Math.max(largest, Math.abs(value - expected(i))), 0);
}

function sum(values: Float32Array): number {
  return values.reduce((all, value) => all + value, 0);
}
