/**
 * A lattice on the ranks of an MPI job. Each has some of the slices along z, and a slice of ghosts on each side. `odd` reads and
 * writes populations of neighbors: in the ghosts those that move away from the slices of this rank. They are borrowed from their
 * owners before, and given back afterwards: 5 of 19 populations of a slice each time.
 *
 * Those that are given back arrive in the ghosts, too, in the place of the ones that move the other way. In the owner's slice they
 * would overwrite populations next to solid cells, which the owner itself has updated.
 */
import type { Context } from "@cl/core";
import { type Box, type Communicator, type ExchangeOptions, Grid, Mpi } from "@cl/mpi";

import { type Divide, downwards, type Exchange, populations, upwards } from "./part.js";

/** What a rank needs to take part. */
export interface Rank {
  /** Whether this rank prints and writes files. */
  readonly isRoot: boolean;
  readonly context: Context;
  readonly divide: Divide;
  /** All ranks of the job. */
  readonly world: Communicator;
}

/** Options of a division. */
export interface DivisionOptions {
  /** Whether messages are on their way while slices are computed that other ranks do not need. @defaultValue true */
  readonly overlaps?: boolean;
}

/** Joins the job that a launcher such as mpirun has started. */
export async function joinJob(options?: DivisionOptions): Promise<Rank> {
  const mpi = await Mpi.init();
  const { world } = mpi;
  return { isRoot: world.isRoot, context: mpi.createContext(), divide: divisionAmong(world, options), world };
}

/** Divides lattices among the ranks of a communicator. */
export function divisionAmong(world: Communicator, { overlaps = true }: DivisionOptions = {}): Divide {
  return async (context, [nx, ny, nz], type) => {
    // Populations are an axis, too, so that an exchange can move some of them.
    const grid = await Grid.create(world, {
      shape: [populations, nz, nx * ny],
      ghosts: [0, 1, 0],
      periodic: true,
      ranks: [1, world.size, 1],
    });
    const field = grid.field(context, type);
    const [start, slices] = [grid.start[1], grid.cells[1]] as [number, number];
    const [below, first, last, above] = [0, 1, slices, slices + 1] as const;
    const box = ([from, to]: readonly [number, number], slice: number): readonly [Box] => [
      { start: [from, slice, 0], end: [to, slice + 1, nx * ny] },
    ];
    const exchange = (name: string, boxes: Required<ExchangeOptions>["boxes"]): Exchange =>
      overlaps
        ? grid.splitExchange(name, [field], { boxes })
        : { begin: grid.exchangeLauncher(name, [field], { boxes }) };
    const borrow = exchange("borrow", ([, step]) =>
      step === 1
        ? { sent: box(downwards, last), received: box(upwards, above) }
        : { sent: box(upwards, first), received: box(downwards, below) },
    );
    const giveBack = exchange("give back", ([, step]) =>
      step === 1
        ? { sent: box(upwards, above), received: box(downwards, above) }
        : { sent: box(downwards, below), received: box(upwards, below) },
    );
    const gather = async (values: Float32Array): Promise<Float32Array | undefined> => {
      const parts = await world.gather(values);
      if (parts === undefined) return undefined;
      const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
      let start = 0;
      for (const part of parts) {
        whole.set(part, start);
        start += part.length;
      }
      return whole;
    };
    return { start, slices, ghosts: 1, memory: field.memory, border: { borrow, giveBack, overlaps }, gather };
  };
}
