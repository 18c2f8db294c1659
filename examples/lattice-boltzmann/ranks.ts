/**
 * A lattice on the ranks of an MPI job. Each has some of the slices along z, and copies of two slices of its neighbors on each side.
 * They are exchanged before `odd`, which reads and writes populations of neighbors. It also updates the nearer ones of these copies,
 * so that a rank writes all populations of its slices, and no others have to be sent back.
 */
import type { Context } from "@cl/core";
import { Grid, Mpi } from "@cl/mpi";

import { type Divide, populations } from "./part.js";

/** What a rank needs to take part. */
export interface Rank {
  /** Whether this rank prints and writes files. */
  readonly isRoot: boolean;
  readonly context: Context;
  readonly divide: Divide;
}

/** Joins the job that a launcher such as mpirun has started. */
export async function joinJob(): Promise<Rank> {
  const mpi = await Mpi.init();
  const { world } = mpi;
  const divide: Divide = async (context, [nx, ny, nz], type) => {
    // Populations are an axis, too, so that each neighbor gets all of them in one message.
    const grid = await Grid.create(world, {
      shape: [populations, nz, nx * ny],
      ghosts: [0, 2, 0],
      periodic: true,
      ranks: [1, world.size, 1],
    });
    const field = grid.field(context, type);
    const exchange = grid.exchangeLauncher("ghosts", [field]);
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
    const [start, slices] = [grid.start[1], grid.cells[1]] as [number, number];
    return { start, slices, ghosts: 2, memory: field.memory, exchange, gather };
  };
  return { isRoot: world.isRoot, context: mpi.createContext(), divide };
}
