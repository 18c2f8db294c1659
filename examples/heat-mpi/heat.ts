/** The heat equation on a periodic square whose cells are divided among the ranks of a communicator. */
import { type CommandQueue, Program } from "@cl/core";
import { KernelLauncher, ListLauncher, runSteps } from "@cl/launcher";
import { type Communicator, type Field, Grid, type KernelBox } from "@cl/mpi";

import { source } from "./heat.cl.js";

/** What is computed. */
export interface Problem {
  /** Cells along each side. */
  readonly size: number;
  readonly steps: number;
  /** Fraction of the difference to its neighbors that a cell loses in a step; at most 0.25. */
  readonly rate: number;
  /** Whether the inside of each part is computed while messages are on their way. */
  readonly overlaps: boolean;
  /** The temperature at the beginning, by row and column. */
  readonly start: (y: number, x: number) => number;
}

/** Returns the temperatures at the end on rank 0, and `undefined` on the others. */
export async function heat(
  communicator: Communicator,
  queue: CommandQueue,
  { size, steps, rate, overlaps, start }: Problem,
): Promise<Float64Array | undefined> {
  const { context } = queue;
  const grid = await Grid.create(communicator, { shape: [size, size], ghosts: 1, periodic: true });
  using u = grid.field(context, Float64Array);
  using v = grid.field(context, Float64Array);
  await u.fill(queue, start);

  const program = await new Program(context, source).build();
  const diffuse = (from: Field, to: Field, box: KernelBox): KernelLauncher =>
    new KernelLauncher("diffuse", program, { args: [from.memory, to.memory, grid.rowPitch, rate], ...box });
  const step = new ListLauncher("two steps");
  for (const [from, to] of [[u, v] as const, [v, u] as const]) {
    if (overlaps) {
      const { begin, end } = grid.splitExchange("ghosts", [from], { corners: false });
      const { inside, edges } = grid.boxes();
      step.push(begin, diffuse(from, to, inside), end, ...edges.map((edge) => diffuse(from, to, edge)));
    } else {
      step.push(
        grid.exchangeLauncher("ghosts", [from], { corners: false }),
        diffuse(from, to, { global: grid.inner, offset: grid.origin }),
      );
    }
  }
  await runSteps(step, { queue, steps: steps / 2 });
  // Awaited here, because the fields are released at the end.
  return await grid.gather(queue, u);
}
