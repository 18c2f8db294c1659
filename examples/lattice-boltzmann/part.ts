/** Parts of a lattice: slices along z that a process computes, and their place in its memory. */
import { type Context, DeviceBuffer } from "@cl/core";
import type { Launcher } from "@cl/launcher";

/** The number of cells along x, y and z. */
export type Size = readonly [x: number, y: number, z: number];

/** The slices of this process. */
export interface Part {
  /** The first slice, and the number of slices. */
  readonly start: number;
  readonly slices: number;
  /** Slices on each side with populations that other processes own. */
  readonly ghosts: 0 | 1;
  /** The populations of the ghosts and slices: first number 0 of all cells, then number 1, … */
  readonly memory: DeviceBuffer;
  /** What moves between the ghosts and other processes. */
  readonly border?: Border;
  /** Returns the values of all slices in one process, and `undefined` in the others. */
  readonly gather: (values: Float32Array) => Promise<Float32Array | undefined>;
}

/** The exchanges with the processes that have the slices below and above. */
export interface Border {
  /** Fills the ghosts with the populations that `odd` reads. */
  readonly borrow: Exchange;
  /** Sends what `odd` has written to the ghosts to the ghosts of the owner, where `take_back` reads it. */
  readonly giveBack: Exchange;
  /** Whether slices that other processes do not need are computed while messages are on their way. */
  readonly overlaps: boolean;
}

/** An exchange in two halves, or in one. */
export interface Exchange {
  readonly begin: Launcher;
  readonly end?: Launcher;
}

/** The type of the memory. */
export type StoredType = Float32ArrayConstructor | Uint16ArrayConstructor;

/** Returns the part of this process. */
export type Divide = (context: Context, size: Size, type: StoredType) => Promise<Part>;

/** Populations of a cell. */
export const populations = 19;

/** The numbers of those that move along z, as in lattice.cl: from the first to before the last. */
export const upwards = [9, 14] as const;
export const downwards = [14, 19] as const;

/** Returns all slices. */
export async function undivided(context: Context, [nx, ny, nz]: Size, type: StoredType): Promise<Part> {
  const memory = new DeviceBuffer(context, populations * nx * ny * nz * type.BYTES_PER_ELEMENT);
  return { start: 0, slices: nz, ghosts: 0, memory, gather: async (values) => values };
}

/** Returns the number of cells in memory along x, y and z. */
export function extentsOf([nx, ny]: Size, { slices, ghosts }: Part): Size {
  return [nx, ny, slices + 2 * ghosts];
}

/** Calls a function with the number of each cell in memory, and its place in the lattice. */
export function forEachCell(
  [nx, ny, nz]: Size,
  { start, slices, ghosts }: Part,
  visit: (cell: number, x: number, y: number, z: number) => void,
): void {
  for (let slice = start - ghosts, cell = 0; slice < start + slices + ghosts; slice++) {
    // Opposite faces of the lattice are neighbors.
    const z = (slice + nz) % nz;
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) visit(cell++, x, y, z);
    }
  }
}
