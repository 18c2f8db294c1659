/** Advection by particles along one axis at a time, in the style of a hysop operator. */
import type { Arrays } from "@cl/array";
import { Program } from "@cl/core";
import { KernelLauncher, ListLauncher } from "@cl/launcher";

import { advectionSource } from "./advection.cl.js";
import { cellsSource } from "./cells.cl.js";
import { axes, type Axis, type Field, cellSize, sizeOf } from "./field.js";
import { type RemeshKernel, remeshSource, support } from "./remesh.cl.js";
import type { DirectionalOperator } from "./strang-splitting.js";

const source = `${cellsSource}${remeshSource}${advectionSource}` as const;

/** Inputs of the operator. */
export interface AdvectionOptions {
  /** Field with three components. */
  readonly velocity: Field;
  /** Number of components of the advected field. They share the particles. */
  readonly components: number;
  /** @defaultValue "L4_2" */
  readonly remesh?: RemeshKernel | undefined;
}

export class DirectionalAdvection implements DirectionalOperator {
  /** Maximum distance in cells by which particles can move in a step, which consists of two half steps. */
  static readonly velocityCfl = 2;

  readonly #program: Program<typeof source>;
  readonly #velocity: Field;
  readonly #shift: Field;

  private constructor(program: Program<typeof source>, velocity: Field, shift: Field) {
    this.#program = program;
    this.#velocity = velocity;
    this.#shift = shift;
  }

  static async create(xp: Arrays, options: AdvectionOptions): Promise<DirectionalAdvection> {
    const { velocity, components, remesh = "L4_2" } = options;
    const size = sizeOf(velocity);
    // A particle that moves by one cell reaches cells at a distance of less than `support` from there.
    const macros = `-DSIZE=${size} -DCOMPONENTS=${components} -DREMESH=${remesh} -DREACH=${support[remesh]}`;
    const program = await new Program(xp.queue.context, source).build({ options: macros });
    return new DirectionalAdvection(program, velocity, xp.zeros([size, size, size], { dtype: "float32" }));
  }

  along(axis: Axis, from: Field, to: Field): ListLauncher {
    const size = sizeOf(from);
    const sizes = { global: [size, size, size], local: "auto" } as const;
    return new ListLauncher(`advection along ${axis}`).push(
      new KernelLauncher("advect", this.#program.kernel("advect"), {
        args: { velocity: this.#velocity, shift: this.#shift, axis: axes.indexOf(axis), scale: 0.5 / cellSize(size) },
        parameters: ["dt"],
        bytes: 8 * size ** 3,
        ...sizes,
      }),
      new KernelLauncher("remesh", this.#program.kernel("remesh"), {
        args: { from, shift: this.#shift, to, axis: axes.indexOf(axis) },
        bytes: from.nbytes + to.nbytes + 4 * size ** 3,
        ...sizes,
      }),
    );
  }
}

/** Throws if particles would move farther than remeshing reaches. `fastest` is an upper bound of the velocities. */
export function checkTimestep(dt: number, fastest: number, size: number): void {
  const longest = (DirectionalAdvection.velocityCfl * cellSize(size)) / fastest;
  if (!(Math.abs(dt) <= longest)) {
    throw new RangeError(
      `dt must not exceed ${longest}, with which particles move by ${DirectionalAdvection.velocityCfl} cells, received ${dt}`,
    );
  }
}
