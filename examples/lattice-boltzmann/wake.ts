/** The flow around a cylinder, between an inflow and an outflow, and pictures of its vorticity. */
import { arrays } from "@cl/array";
import type { CommandQueue } from "@cl/core";
import { type Profiler, type ProgressOptions, type RunResult, runSteps } from "@cl/launcher";

import { type Cell, type Conditions, type Flow, lattice, omegaOf, type Precision } from "./lattice.js";
import type { Divide, Size } from "./part.js";

/** Options of the flow. */
export interface WakeOptions {
  /** Cells along z, across the flow; it has four times as many along x, and twice as many along y. */
  readonly cells: number;
  readonly reynolds: number;
  /** An even number of steps. */
  readonly steps: number;
  readonly precision: Precision;
  readonly divide?: Divide | undefined;
  readonly profiler?: Profiler;
  readonly progress?: ProgressOptions;
  /** Pictures to draw while the flow is computed, in the process that reads it. */
  readonly outputs?: readonly Output[];
}

/** Pictures at regular intervals, and at the end. */
export interface Output {
  /** An even number of steps between two pictures. */
  readonly steps: number;
  /** Pixels per cell, along each side. */
  readonly scale: number;
  readonly draw: (picture: Picture, step: number) => Promise<void>;
}

/** The vorticity along z in the middle plane, in rows from above. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Cells across the flow. */
  readonly cells: number;
  readonly vorticity: Float32Array;
}

/** Velocity of the flow, in cells per step: a seventh of the speed of sound of the lattice. */
const speed = 0.08;
/** Steps of a gust in the beginning, after which vortices leave alternately. */
const gust = 500;

/** Runs the flow. */
export async function wake(queue: CommandQueue, options: WakeOptions): Promise<{ result: RunResult; cells: number }> {
  const { cells, reynolds, steps, precision, divide, profiler, progress, outputs = [] } = options;
  const size: Size = [4 * cells, 2 * cells, cells];
  const radius = cells / 5;
  const cellAt = (x: number, y: number): Cell => {
    if (Math.hypot(x - cells, y - cells + 0.5) < radius) return "wall";
    return x === 0 || x === size[0] - 1 ? "open" : "fluid";
  };
  const flow = await lattice(queue, {
    size,
    cellAt,
    velocityAt: () => [speed, speed / 8, 0],
    precision,
    divide,
    ...(profiler === undefined ? {} : { profiler }),
  });
  const omega = omegaOf((speed * 2 * radius) / reynolds);
  // The inflow is a parameter of each launch.
  const parameters = (pair: number): Conditions => {
    const extra = Math.sin(Math.PI * Math.min(1, (2 * pair) / gust)) / 4;
    return { omega, inflow: speed * (1 + extra), wall: 0 };
  };
  const result = await runSteps(flow.steps, {
    queue,
    steps: steps / 2,
    parameters,
    ...(progress === undefined ? {} : { progress }),
    every: outputs.map((output, i) => ({
      steps: output.steps / 2,
      last: true,
      name: `pictures ${i}`,
      run: async ({ step }: { readonly step: number }) => {
        const whole = await flow.read();
        if (whole !== undefined) await output.draw(picture(whole, size, output.scale), 2 * step);
      },
    })),
    ...(profiler === undefined ? {} : { profiler }),
    // Processes that compute together would stop after different steps.
    signals: divide === undefined,
  });
  return { result, cells: flow.cells };
}

/** Returns the vorticity in the middle plane, interpolated linearly between cells. */
function picture({ velocity: [u, v] }: Flow, [nx, ny, nz]: Size, scale: number): Picture {
  const middle = nx * ny * Math.floor(nz / 2);
  const at = (field: Float32Array, x: number, y: number): number =>
    field[middle + clamp(x, nx) + nx * clamp(y, ny)] as number;
  const curl = (x: number, y: number): number =>
    (at(v, x + 1, y) - at(v, x - 1, y) - at(u, x, y + 1) + at(u, x, y - 1)) / 2;
  // The last cells are not drawn, because the outflow disturbs the flow there.
  const [width, height] = [scale * Math.ceil((nx * 15) / 16), scale * ny];
  const vorticity = Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [((i % width) + 0.5) / scale - 0.5, ny - 0.5 - (Math.floor(i / width) + 0.5) / scale];
    const [left, below] = [Math.floor(x), Math.floor(y)];
    const along = (row: number): number => mix(curl(left, row), curl(left + 1, row), x - left);
    return mix(along(below), along(below + 1), y - below);
  });
  return { width, height, cells: nz, vorticity };
}

/** Colors on each side of zero. More of them look the same, and take twice the bytes. */
const shades = 31;

/** Returns a picture as a PNG file. All pictures of a flow have the same colors. */
export async function encode(queue: CommandQueue, { width, height, vorticity, cells }: Picture): Promise<Uint8Array> {
  const xp = arrays(queue);
  const unit = (10 * speed) / cells / shades;
  using values = xp.fromHost(vorticity.map((value) => Math.round(value / unit))).reshape([height, width]);
  return await xp.toPng(values, { colormap: "coolwarm", min: -shades, max: shades });
}

function clamp(value: number, extent: number): number {
  return Math.min(Math.max(value, 0), extent - 1);
}

function mix(from: number, to: number, fraction: number): number {
  return from + fraction * (to - from);
}
