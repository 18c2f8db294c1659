/** Stretching of the vorticity by the velocity, along one axis at a time. */
import type { Arrays } from "@cl/array";
import { Program } from "@cl/core";
import { KernelLauncher } from "@cl/launcher";

import { cellsSource } from "./cells.cl.js";
import { axes, type Axis, cellSize, type Field, sizeOf } from "./field.js";
import type { DirectionalOperator } from "./strang-splitting.js";
import { stretchingSource } from "./stretching.cl.js";

const source = `${cellsSource}${stretchingSource}` as const;

export class DirectionalStretching implements DirectionalOperator {
  readonly #program: Program<typeof source>;
  readonly #velocity: Field;

  private constructor(program: Program<typeof source>, velocity: Field) {
    this.#program = program;
    this.#velocity = velocity;
  }

  static async create(xp: Arrays, velocity: Field): Promise<DirectionalStretching> {
    const macros = `-DSIZE=${sizeOf(velocity)}`;
    const program = await new Program(xp.queue.context, source).build({ options: macros });
    return new DirectionalStretching(program, velocity);
  }

  along(axis: Axis, from: Field, to: Field): KernelLauncher {
    const size = sizeOf(from);
    return new KernelLauncher(`stretching along ${axis}`, this.#program.kernel("stretch"), {
      args: {
        velocity: this.#velocity,
        from,
        to,
        axis: axes.indexOf(axis),
        scale: 0.5 / cellSize(size),
      },
      parameters: ["dt"],
      global: [size, size, size],
      local: "auto",
      bytes: 3 * from.nbytes,
    });
  }
}
