/** A flow on a lattice: its memory, its steps as a list of kernels, and what it looks like. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, type Profiler } from "@cl/launcher";

const source = createRequire(import.meta.url).resolve("#lattice.cl");

/** The number of cells along x, y and z. */
export type Size = readonly [x: number, y: number, z: number];

/** How populations are stored. The computation is in float32. */
export type Precision = "float32" | "float16";

/** What a cell is. Walls that move do so along x. */
export type Cell = "fluid" | "wall" | "moving wall" | "open";

/** Options of a lattice. */
export interface LatticeOptions {
  readonly size: Size;
  /** @defaultValue fluid everywhere, with opposite faces as neighbors */
  readonly cellAt?: (x: number, y: number, z: number) => Cell;
  /** The velocity at the start, in cells per step. @defaultValue 0 */
  readonly velocityAt?: (x: number, y: number, z: number) => readonly [x: number, y: number, z: number];
  /** @defaultValue "float32" */
  readonly precision?: Precision;
  readonly profiler?: Profiler;
}

/** What may change from step to step. */
export interface Conditions {
  /** Relaxation rate: 1 / (3 ν + 1/2) for the viscosity ν in cells² per step. */
  readonly omega: number;
  /** Velocities along x, in cells per step: of the flow at open cells, and of moving walls. */
  readonly inflow: number;
  readonly wall: number;
}

/** Density, and velocity along x, y and z, of each cell: x fastest. */
export interface Flow {
  readonly density: Float32Array;
  readonly velocity: readonly [Float32Array, Float32Array, Float32Array];
}

/** A lattice on a device. */
export interface Lattice {
  readonly cells: number;
  /** Two steps. */
  readonly steps: ListLauncher<Conditions>;
  readonly read: () => Promise<Flow>;
}

const populations = 19;

/** Bits of the flags of cells, as in lattice.cl. */
const flags = { solid: 1, movingWall: 2, open: 4, nearSolid: 8 } as const;

/** Returns the relaxation rate for a viscosity. */
export function omegaOf(viscosity: number): number {
  return 1 / (3 * viscosity + 0.5);
}

/** Returns the options that lattice.cl is built with. */
function buildOptions([nx, ny, nz]: Size, precision: Precision): string {
  const half = precision === "float16" ? " -D HALF" : "";
  return `-D NX=${nx} -D NY=${ny} -D NZ=${nz}${half}`;
}

/** Creates a lattice. */
export async function lattice(queue: CommandQueue, options: LatticeOptions): Promise<Lattice> {
  const { size, cellAt = () => "fluid", velocityAt, precision = "float32", profiler } = options;
  const { context } = queue;
  const cells = size[0] * size[1] * size[2];
  const program = await new Program(context, await readFile(source, "utf8")).build({
    options: buildOptions(size, precision),
  });
  const bytesPerCell = populations * (precision === "float32" ? 4 : 2);
  const f = new DeviceBuffer(context, cells * bytesPerCell);
  const marks = flagsOf(size, cellAt);
  const cellFlags = DeviceBuffer.from(context, marks);

  const velocity = new Float32Array(3 * cells);
  if (velocityAt !== undefined) forEachCell(size, (cell, at) => velocity.set(velocityAt(...at), 3 * cell));
  using initial = DeviceBuffer.from(context, velocity);
  program.kernel("start").launch(queue, { global: cells }, f, initial);
  await queue.finish();

  const steps = new ListLauncher<Conditions>("two steps", profiler === undefined ? {} : { profiler });
  const args = { args: [f, cellFlags], parameters: ["omega", "inflow"] } as const;
  const bytes = cells * (2 * bytesPerCell + 1);
  const near = nearSolid(marks);
  steps.push(
    new KernelLauncher("even", program.kernel("even"), { ...args, global: cells, bytes }),
    new KernelLauncher("odd", program.kernel("odd"), { ...args, global: size, bytes }),
    new KernelLauncher("odd near solid", program.kernel("odd_near_solid"), {
      // OpenCL has no empty buffers.
      args: [f, cellFlags, DeviceBuffer.from(context, near.length > 0 ? near : Uint32Array.of(0))],
      parameters: ["omega", "inflow", "wall"],
      global: near.length,
      allowEmpty: true,
    }),
  );

  const moments = DeviceBuffer.empty(context, Float32Array, 4 * cells);
  const read = async (): Promise<Flow> => {
    program.kernel("moments").launch(queue, { global: cells }, f, cellFlags, moments);
    const values = await queue.read(moments);
    const [x, y, z, density] = [0, 1, 2, 3].map((k) =>
      Float32Array.from({ length: cells }, (_, i) => values[4 * i + k] as number),
    );
    return { density, velocity: [x, y, z] } as Flow;
  };
  return { cells, steps, read };
}

const bits: Readonly<Record<Cell, number>> = {
  fluid: 0,
  wall: flags.solid,
  "moving wall": flags.solid | flags.movingWall,
  open: flags.open,
};

/** Directions to the neighbors: at most two of three coordinates differ. */
const directions = [-1, 0, 1].flatMap((z) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [x, y, z] as const).filter(([x]) => x * y * z === 0)),
);

function flagsOf(size: Size, cellAt: (x: number, y: number, z: number) => Cell): Uint8Array {
  const marks = new Uint8Array(size[0] * size[1] * size[2]);
  forEachCell(size, (cell, at) => {
    marks[cell] = bits[cellAt(...at)];
  });
  const [nx, ny, nz] = size;
  const wrapped = (value: number, extent: number): number => (value + extent) % extent;
  return marks.map((mark, cell) => {
    const [x, y, z] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    const isNear = directions.some(([dx, dy, dz]) => {
      const other = wrapped(x + dx, nx) + nx * (wrapped(y + dy, ny) + ny * wrapped(z + dz, nz));
      return ((marks[other] as number) & flags.solid) !== 0;
    });
    return isNear ? mark | flags.nearSolid : mark;
  });
}

/** Returns the cells, other than solid ones, that have a solid neighbor. */
function nearSolid(marks: Uint8Array): Uint32Array {
  const cells: number[] = [];
  for (const [cell, mark] of marks.entries()) {
    if ((mark & (flags.solid | flags.nearSolid)) === flags.nearSolid) cells.push(cell);
  }
  return Uint32Array.from(cells);
}

function forEachCell([nx, ny, nz]: Size, visit: (cell: number, at: readonly [number, number, number]) => void): void {
  for (let z = 0, cell = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) visit(cell++, [x, y, z]);
    }
  }
}
