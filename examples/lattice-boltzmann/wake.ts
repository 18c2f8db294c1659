/** The flow around a cylinder, between an inflow and an outflow, and pictures of its vorticity. */
import { arrays } from "@cl/array";
import type { CommandQueue } from "@cl/core";
import { type Profiler, type ProgressOptions, type RunResult, runSteps } from "@cl/launcher";

import type { Precision } from "./lattice.cl.js";
import { type Cell, type Conditions, type Flow, lattice, omegaOf, type Size } from "./lattice.js";

/** Options of the flow. */
export interface WakeOptions {
  /** Cells along z, across the flow; it has four times as many along x, and twice as many along y. */
  readonly cells: number;
  readonly reynolds: number;
  /** An even number of steps. */
  readonly steps: number;
  readonly precision: Precision;
  readonly profiler?: Profiler;
  readonly progress?: ProgressOptions;
  /** Called with pictures of the vorticity, each after as many steps. */
  readonly every?: { readonly steps: number; readonly draw: (picture: Picture, step: number) => Promise<void> };
}

/** The vorticity along z in the middle plane, row by row from above. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly vorticity: Float32Array;
}

/** Velocity of the flow, in cells per step: a seventh of the speed of sound of the lattice. */
const speed = 0.08;
/** Steps of a gust in the beginning, after which vortices leave alternately. */
const gust = 500;

/** Runs the flow. */
export async function wake(queue: CommandQueue, options: WakeOptions): Promise<{ result: RunResult; cells: number }> {
  const { cells, reynolds, steps, precision, profiler, progress, every } = options;
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
    ...(every === undefined
      ? {}
      : {
          every: [
            {
              steps: every.steps / 2,
              last: true,
              name: "picture",
              run: async ({ step }: { readonly step: number }) =>
                every.draw(picture(await flow.read(), size), 2 * step),
            },
          ],
        }),
    ...(profiler === undefined ? {} : { profiler }),
    signals: true,
  });
  return { result, cells: flow.cells };
}

/** Pixels of a cell along each side. */
const scale = 4;

/** Returns the vorticity in the middle plane. */
function picture({ velocity: [u, v] }: Flow, [nx, ny, nz]: Size): Picture {
  const [width, height] = [scale * nx, scale * ny];
  const at = (field: Float32Array, x: number, y: number): number =>
    field[((x + nx) % nx) + nx * (((y + ny) % ny) + ny * Math.floor(nz / 2))] as number;
  const vorticity = Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [Math.floor((i % width) / scale), ny - 1 - Math.floor(i / width / scale)];
    return (at(v, x + 1, y) - at(v, x - 1, y) - at(u, x, y + 1) + at(u, x, y - 1)) / 2;
  });
  return { width, height, vorticity };
}

/** Writes a picture. */
export async function save(queue: CommandQueue, path: string, { width, height, vorticity }: Picture): Promise<void> {
  const xp = arrays(queue);
  const most = (40 * scale * speed) / width;
  using values = xp.fromHost(vorticity).reshape([height, width]);
  await xp.savePng(path, values, { colormap: "coolwarm", min: -most, max: most });
}
