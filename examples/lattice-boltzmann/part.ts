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
  /** Slices on each side that copy those of other processes. */
  readonly ghosts: 0 | 2;
  /** The populations of the ghosts and slices: first number 0 of all cells, then number 1, … */
  readonly memory: DeviceBuffer;
  /** Fills the ghosts. */
  readonly exchange?: Launcher;
  /** Returns the values of all slices in one process, and `undefined` in the others. */
  readonly gather: (values: Float32Array) => Promise<Float32Array | undefined>;
}

/** The type of the memory. */
export type StoredType = Float32ArrayConstructor | Uint16ArrayConstructor;

/** Returns the part of this process. */
export type Divide = (context: Context, size: Size, type: StoredType) => Promise<Part>;

/** Populations of a cell. */
export const populations = 19;

/** Returns all slices. */
export async function undivided(context: Context, [nx, ny, nz]: Size, type: StoredType): Promise<Part> {
  const memory = new DeviceBuffer(context, populations * nx * ny * nz * type.BYTES_PER_ELEMENT);
  return { start: 0, slices: nz, ghosts: 0, memory, gather: async (values) => values };
}

/** Returns the number of cells in memory along x, y and z. */
export function extentsOf([nx, ny]: Size, { slices, ghosts }: Part): Size {
  return [nx, ny, slices + 2 * ghosts];
}

/** Calls a function with the place of each cell in memory and in the lattice. */
export function forEachCell(
  [nx, ny, nz]: Size,
  { start, slices, ghosts }: Part,
  visit: (cell: number, at: readonly [number, number, number]) => void,
): void {
  for (let slice = start - ghosts, cell = 0; slice < start + slices + ghosts; slice++) {
    // Opposite faces of the lattice are neighbors.
    const z = (slice + nz) % nz;
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) visit(cell++, [x, y, z]);
    }
  }
}
