/** The velocity that belongs to a vorticity, by Fourier transforms. Projects and diffuses the vorticity on the way. */
import type { Arrays } from "@cl/array";
import { type Kernel, Program } from "@cl/core";

import { type Field, sizeOf } from "./field.js";
import { poissonCurlSource } from "./poisson-curl.cl.js";

/** Inputs of the operator. */
export interface PoissonCurlOptions {
  readonly vorticity: Field;
  readonly velocity: Field;
  /** Viscosity. */
  readonly nu: number;
  /**
   * Mean velocity, which does not follow from the vorticity.
   * @defaultValue none
   */
  readonly stream?: readonly [number, number, number] | undefined;
}

export class PoissonCurl {
  readonly #xp: Arrays;
  readonly #kernel: Kernel;
  readonly #options: PoissonCurlOptions;
  readonly #stream: Field;

  private constructor(xp: Arrays, kernel: Kernel, options: PoissonCurlOptions) {
    const { stream = [0, 0, 0] } = options;
    this.#xp = xp;
    this.#kernel = kernel;
    this.#options = options;
    this.#stream = xp.array(stream, { dtype: "float32" }).reshape([3, 1, 1, 1]);
  }

  static async create(xp: Arrays, options: PoissonCurlOptions): Promise<PoissonCurl> {
    const macros = `-DSIZE=${sizeOf(options.vorticity)}`;
    const program = await new Program(xp.queue.context, poissonCurlSource).build({ options: macros });
    const operator = new PoissonCurl(xp, program.kernel("poisson_curl"), options);
    // Builds the kernels of the transforms, and computes the first velocity.
    await xp.prepare(() => operator.apply(0));
    return operator;
  }

  /** Enqueues the operator for a step. */
  apply(dt: number): void {
    const { vorticity, velocity, nu } = this.#options;
    const { queue, fft } = this.#xp;
    const size = sizeOf(vorticity);
    const axes = [1, 2, 3];
    using vorticityWaves = fft.rfftn(vorticity, { axes });
    using velocityWaves = this.#xp.emptyLike(vorticityWaves);
    const global = vorticityWaves.shape.slice(1).toReversed();
    this.#kernel.launch(queue, { global }, vorticityWaves, velocityWaves, nu * dt);
    const lengths = { axes, s: [size, size, size] };
    using diffused = fft.irfftn(vorticityWaves, lengths);
    using rotation = fft.irfftn(velocityWaves, lengths);
    vorticity.assign(diffused);
    rotation.add(this.#stream, { out: velocity });
  }
}
