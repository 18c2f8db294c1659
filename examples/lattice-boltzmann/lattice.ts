/** A flow on a lattice: its memory, its steps as a list of kernels, and what it looks like. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, type Launcher, ListLauncher, type Profiler } from "@cl/launcher";

import {
  type Divide,
  extentsOf,
  forEachCell,
  type Part,
  populations,
  type Size,
  type StoredType,
  undivided,
} from "./part.js";

const source = createRequire(import.meta.url).resolve("#lattice.cl");

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
  /** Divides the lattice among several processes. @defaultValue this process has all of it */
  readonly divide?: Divide | undefined;
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
  /** Returns the whole flow in one process, and `undefined` in the others. */
  readonly read: () => Promise<Flow | undefined>;
}

const storedTypes: Readonly<Record<Precision, StoredType>> = { float32: Float32Array, float16: Uint16Array };

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
  const { size, cellAt, velocityAt, precision = "float32", profiler, divide = undivided } = options;
  const { context } = queue;
  const part = await divide(context, size, storedTypes[precision]);
  const { memory: f, slices, ghosts, border } = part;
  const extents = extentsOf(size, part);
  const [nx, ny, nz] = extents;
  const cells = nx * ny * nz;
  const program = await new Program(context, await readFile(source, "utf8")).build({
    options: buildOptions(extents, precision),
  });
  const marks = flagsOf(size, part, cellAt);
  const cellFlags = DeviceBuffer.from(context, marks);

  const velocity = new Float32Array(3 * cells);
  if (velocityAt !== undefined) {
    forEachCell(size, part, (cell, x, y, z) => {
      [velocity[3 * cell], velocity[3 * cell + 1], velocity[3 * cell + 2]] = velocityAt(x, y, z);
    });
  }
  using initial = DeviceBuffer.from(context, velocity);
  program.kernel("start").launch(queue, { global: cells }, f, initial);
  await queue.finish();

  const args = { args: [f, cellFlags], parameters: ["omega", "inflow"] } as const;
  const bytesPerSlice = nx * ny * (2 * populations * storedTypes[precision].BYTES_PER_ELEMENT + 1);
  const even = ([first, count]: Slices): Launcher<Conditions> =>
    new KernelLauncher("even", program.kernel("even"), {
      ...args,
      global: nx * ny * count,
      offset: nx * ny * first,
      bytes: count * bytesPerSlice,
    });
  const odd = ([first, count]: Slices): Launcher<Conditions>[] => {
    const near = nearSolid(marks, nx * ny * first, nx * ny * (first + count));
    return [
      new KernelLauncher("odd", program.kernel("odd"), {
        ...args,
        global: [nx, ny, count],
        offset: [0, 0, first],
        bytes: count * bytesPerSlice,
      }),
      new KernelLauncher("odd near solid", program.kernel("odd_near_solid"), {
        // OpenCL has no empty buffers.
        args: [f, cellFlags, DeviceBuffer.from(context, near.length > 0 ? near : Uint32Array.of(0))],
        parameters: ["omega", "inflow", "wall"],
        global: near.length,
        allowEmpty: true,
      }),
    ];
  };
  const steps = new ListLauncher<Conditions>("two steps", profiler === undefined ? {} : { profiler });
  const { edges, inside } = stagesOf(part);
  steps.push(
    ...edges.map(even),
    border?.borrow.begin,
    ...inside.map(even),
    border?.borrow.end,
    ...edges.flatMap(odd),
    border?.giveBack.begin,
    ...inside.flatMap(odd),
    border?.giveBack.end,
  );
  if (border !== undefined) {
    const global = [nx, ny, 2];
    steps.push(new KernelLauncher("take back", program.kernel("take_back"), { args: [f, cellFlags], global }));
  }

  const moments = DeviceBuffer.empty(context, Float32Array, 4 * cells);
  const read = async (): Promise<Flow | undefined> => {
    program.kernel("moments").launch(queue, { global: cells }, f, cellFlags, moments);
    const [first, end] = [nx * ny * ghosts, nx * ny * (ghosts + slices)];
    const values = await part.gather((await queue.read(moments)).subarray(4 * first, 4 * end));
    if (values === undefined) return undefined;
    const [x, y, z, density] = [0, 1, 2, 3].map((k) => {
      const component = new Float32Array(values.length / 4);
      for (let i = 0; i < component.length; i++) component[i] = values[4 * i + k] as number;
      return component;
    });
    return { density, velocity: [x, y, z] } as Flow;
  };
  return { cells: size[0] * size[1] * size[2], steps, read };
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

function flagsOf(size: Size, part: Part, cellAt: LatticeOptions["cellAt"]): Uint8Array {
  const [nx, ny, nz] = extentsOf(size, part);
  const marks = new Uint8Array(nx * ny * nz);
  if (cellAt === undefined) return marks;
  forEachCell(size, part, (cell, x, y, z) => {
    marks[cell] = bits[cellAt(x, y, z)];
  });
  const wrapped = (value: number, extent: number): number => (value + extent) % extent;
  for (let cell = 0; cell < marks.length; cell++) {
    if (((marks[cell] as number) & flags.solid) === 0) continue;
    const [x, y, z] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    for (const [dx, dy, dz] of directions) {
      const other = wrapped(x + dx, nx) + nx * (wrapped(y + dy, ny) + ny * wrapped(z + dz, nz));
      marks[other] = (marks[other] as number) | flags.nearSolid;
    }
  }
  return marks;
}

/** Some slices in memory. */
type Slices = readonly [first: number, count: number];

/** Returns the slices that neighbors wait for, and those that can be computed while messages are on their way. */
function stagesOf({ slices, ghosts, border }: Part): { readonly edges: Slices[]; readonly inside: Slices[] } {
  if (border?.overlaps !== true || slices <= 2) return { edges: [[ghosts, slices]], inside: [] };
  const last = ghosts + slices - 1;
  return {
    edges: [
      [ghosts, 1],
      [last, 1],
    ],
    inside: [[ghosts + 1, slices - 2]],
  };
}

/** Returns the cells from `start` to before `end`, other than solid ones, that have a solid neighbor. */
function nearSolid(marks: Uint8Array, start: number, end: number): Uint32Array {
  const cells: number[] = [];
  for (let cell = start; cell < end; cell++) {
    if (((marks[cell] as number) & (flags.solid | flags.nearSolid)) === flags.nearSolid) cells.push(cell);
  }
  return Uint32Array.from(cells);
}
