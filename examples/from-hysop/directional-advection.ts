/** What is carried by a flow, one direction after the other: an operator in the manner of hysop. */
import { type CommandQueue, Program } from "@cl/core";
import { type HostStep, KernelLauncher, ListLauncher, type Profiler, runSteps } from "@cl/launcher";

import { advectionSource } from "./advection.cl.js";
import { type Axis, type Field, field, ghosts, pushGhosts } from "./field.js";

/** What an operator is made of. */
export interface AdvectionOptions {
  /** What is carried. */
  readonly scalar: Field;
  /** The velocities along x and y, in cells in a unit of time. */
  readonly velocity: Readonly<Record<Axis, Field>>;
  /** None of them is larger. */
  readonly fastest: number;
  readonly profiler?: Profiler | undefined;
}

/** Steps in time. */
export interface Steps {
  readonly steps: number;
  readonly dt: number;
  /** What all velocities are multiplied with at a time. */
  readonly amplitude: (time: number) => number;
  /** What is done now and then. */
  readonly every?: readonly HostStep[];
}

export class DirectionalAdvection {
  /** All of a step, which asks for `dt` and `amplitude`. */
  readonly step: ListLauncher;
  readonly #fastest: number;

  private constructor(step: ListLauncher, fastest: number) {
    this.step = step;
    this.#fastest = fastest;
  }

  /** Half a step along x, half along y, and both again the other way round, which is exact to second order in time. */
  static async create(queue: CommandQueue, options: AdvectionOptions): Promise<DirectionalAdvection> {
    const { scalar, velocity, fastest, profiler } = options;
    const pitch = scalar.shape[0] as number;
    const size = pitch - 2 * ghosts;
    const macros = `-DGHOSTS=${ghosts} -DPITCH=${pitch}`;
    const program = await new Program(queue.context, advectionSource).build({ options: macros });
    const [shift, scratch] = [field(queue, size), field(queue, size)];

    const direction = (name: string, axis: Axis, from: Field, to: Field): ListLauncher => {
      const along = axis === "x" ? 1 : pitch;
      const sizes = { global: [size, size], local: "auto" } as const;
      const list = new ListLauncher(name);
      list.push(
        new KernelLauncher("advect", program.kernel("advect"), {
          args: { velocity: velocity[axis].memory, shift: shift.memory, along, fraction: 0.5 },
          parameters: ["dt", "amplitude"],
          bytes: 8 * size ** 2,
          ...sizes,
        }),
      );
      pushGhosts(list, "shift", shift, axis);
      pushGhosts(list, "scalar", from, axis);
      return list.push(
        new KernelLauncher("remesh", program.kernel("remesh"), {
          args: { from: from.memory, shift: shift.memory, to: to.memory, along },
          bytes: 12 * size ** 2,
          ...sizes,
        }),
      );
    };

    const step = new ListLauncher("advection", profiler === undefined ? {} : { profiler }).push(
      direction("x there", "x", scalar, scratch),
      direction("y there", "y", scratch, scalar),
      direction("y back", "y", scalar, scratch),
      direction("x back", "x", scratch, scalar),
    );
    return new DirectionalAdvection(step, fastest);
  }

  /** Carries the scalar on. */
  async apply(queue: CommandQueue, { steps, dt, amplitude, every = [] }: Steps): Promise<void> {
    // Farther than the ghosts reach, a particle would be lost.
    const longest = (2 * (ghosts - 2)) / this.#fastest;
    if (dt > longest) {
      throw new RangeError(`dt must not exceed ${longest}, with which a particle moves a cell, but is ${dt}`);
    }
    const table = this.step.parameterTable();
    table.values[table.indexOf("dt")] = dt;
    const place = table.indexOf("amplitude");
    const parameters = (n: number): void => {
      table.values[place] = amplitude((n + 0.5) * dt);
    };
    await runSteps(table, { queue, steps, parameters, every });
  }
}
