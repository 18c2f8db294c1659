/** A box whose lid moves, and which is periodic along y, so that it can be compared with results for two dimensions. */
import type { CommandQueue } from "@cl/core";
import { type ProgressOptions, runSteps } from "@cl/launcher";

import { type Cell, lattice, omegaOf, type Precision } from "./lattice.js";
import type { Divide } from "./part.js";

/** Options of the box. */
export interface CavityOptions {
  /** Cells per side. */
  readonly cells: number;
  readonly reynolds: number;
  /** An even number of steps. */
  readonly steps: number;
  readonly precision?: Precision;
  readonly divide?: Divide | undefined;
  readonly progress?: ProgressOptions;
}

/** Velocities along the lid's direction, relative to the lid's, on the vertical line through the middle, for a Reynolds number of
 * 100: U. Ghia, K. N. Ghia, C. T. Shin, Journal of Computational Physics 48 (1982), table I. */
export const ghia: readonly (readonly [height: number, velocity: number])[] = [
  [0.0547, -0.03717],
  [0.0625, -0.04192],
  [0.0703, -0.04775],
  [0.1016, -0.06434],
  [0.1719, -0.1015],
  [0.2813, -0.15662],
  [0.4531, -0.2109],
  [0.5, -0.20581],
  [0.6172, -0.13641],
  [0.7344, 0.00332],
  [0.8516, 0.23151],
  [0.9531, 0.68717],
  [0.9609, 0.73722],
  [0.9688, 0.78871],
  [0.9766, 0.84123],
];

/** Runs until the flow is steady. The process that reads the flow returns the velocity at heights from 0 to 1. */
export async function cavityProfile(
  queue: CommandQueue,
  options: CavityOptions,
): Promise<((height: number) => number) | undefined> {
  const { cells, reynolds, steps, precision = "float32", divide, progress } = options;
  const lid = 0.1;
  // Walls are halfway between the last cells of the fluid and the first ones beyond.
  const [nx, ny, nz] = [cells + 2, 1, cells + 2];
  const cellAt = (x: number, _y: number, z: number): Cell =>
    x === 0 || x === nx - 1 || z === 0 ? "wall" : z === nz - 1 ? "moving wall" : "fluid";
  const box = await lattice(queue, { size: [nx, ny, nz], cellAt, precision, divide });
  const parameters = { omega: omegaOf((lid * cells) / reynolds), inflow: 0, wall: lid };
  await runSteps(box.steps, { queue, steps: steps / 2, parameters, ...(progress === undefined ? {} : { progress }) });
  const flow = await box.read();
  if (flow === undefined) return undefined;
  const at = (row: number): number => {
    if (row < 0) return 0;
    if (row >= cells) return lid;
    const [left, right] = [Math.floor((nx - 1) / 2), Math.ceil((nx - 1) / 2)];
    const value = (x: number): number => flow.velocity[0][x + nx * (row + 1)] as number;
    return (value(left) + value(right)) / 2;
  };
  return (height) => {
    const place = height * cells - 0.5;
    const row = Math.floor(place);
    return (at(row) + (place - row) * (at(row + 1) - at(row))) / lid;
  };
}
