/** Advection of a scalar by a flow with directional splitting, in the style of a hysop operator. */
import { type CommandQueue, Program } from "@cl/core";
import { type HostStep, KernelLauncher, ListLauncher, type Profiler, runSteps } from "@cl/launcher";

import { advectionSource } from "./advection.cl.js";
import { type Axis, type Field, field, ghosts, pushGhosts } from "./field.js";

/** Inputs of the operator. */
export interface AdvectionOptions {
  /** The advected field. */
  readonly scalar: Field;
  /** Velocities along x and y, in cells per unit of time. */
  readonly velocity: Readonly<Record<Axis, Field>>;
  /** Upper bound of the velocities. */
  readonly fastest: number;
  readonly profiler?: Profiler | undefined;
}

/** Timesteps to run. */
export interface Steps {
  readonly steps: number;
  readonly dt: number;
  /** Factor of all velocities, as a function of time. */
  readonly amplitude: (time: number) => number;
  /** Host functions to run between steps. */
  readonly every?: readonly HostStep[];
}

export class DirectionalAdvection {
  /** A timestep, with the parameters `dt` and `amplitude`. */
  readonly step: ListLauncher;
  readonly #fastest: number;

  private constructor(step: ListLauncher, fastest: number) {
    this.step = step;
    this.#fastest = fastest;
  }

  /** Creates the operator. A step goes along x, y, y, x for half a timestep each, which is second order in time. */
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
      direction("x first", "x", scalar, scratch),
      direction("y first", "y", scratch, scalar),
      direction("y second", "y", scalar, scratch),
      direction("x second", "x", scratch, scalar),
    );
    return new DirectionalAdvection(step, fastest);
  }

  /** Advects the scalar. Throws if `dt` is so large that a particle would leave the ghost cells. */
  async apply(queue: CommandQueue, { steps, dt, amplitude, every = [] }: Steps): Promise<void> {
    // A particle must not move farther than the ghost cells reach.
    const longest = (2 * (ghosts - 2)) / this.#fastest;
    if (dt > longest) {
      throw new RangeError(`dt must not exceed ${longest}, with which a particle moves by one cell, received ${dt}`);
    }
    const table = this.step.parameterTable();
    table.values[table.indexOf("dt")] = dt;
    const amplitudeIndex = table.indexOf("amplitude");
    const parameters = (n: number): void => {
      table.values[amplitudeIndex] = amplitude((n + 0.5) * dt);
    };
    await runSteps(table, { queue, steps, parameters, every });
  }
}
