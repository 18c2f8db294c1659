/** The incompressible Navier-Stokes equations in vorticity and velocity: the timestep, and the loop over it. */
import { type Arrays, arrays } from "@cl/array";
import type { CommandQueue } from "@cl/core";
import { ElementwiseLauncher, type HostStep, ListLauncher, type Profiler, runSteps } from "@cl/launcher";

import { checkTimestep, DirectionalAdvection } from "./directional-advection.js";
import { DirectionalStretching } from "./directional-stretching.js";
import { type Component, type Field, field, sizeOf } from "./field.js";
import { PoissonCurl, type PoissonCurlOptions } from "./poisson-curl.js";
import type { RemeshKernel } from "./remesh.cl.js";
import { strangSplitting } from "./strang-splitting.js";

/** The flow and its operators. */
export interface FlowOptions extends Pick<PoissonCurlOptions, "nu" | "stream"> {
  /** Cells per side. */
  readonly size: number;
  /** Components of the vorticity at the start. */
  readonly start: readonly Component[];
  readonly remesh?: RemeshKernel | undefined;
  readonly profiler?: Profiler | undefined;
}

/** Timesteps to run. */
export interface Simulation {
  readonly steps: number;
  readonly dt: number;
  /** Functions to run between steps. */
  readonly every?: readonly HostStep[];
  readonly progress?: boolean;
}

export class NavierStokes {
  readonly xp: Arrays;
  readonly vorticity: Field;
  readonly velocity: Field;
  readonly #splitting: ListLauncher;
  readonly #poisson: PoissonCurl;
  readonly #profiling: { readonly profiler?: Profiler };

  private constructor(
    xp: Arrays,
    { vorticity, velocity }: { readonly vorticity: Field; readonly velocity: Field },
    operators: { readonly splitting: ListLauncher; readonly poisson: PoissonCurl },
    profiling: { readonly profiler?: Profiler },
  ) {
    this.xp = xp;
    this.vorticity = vorticity;
    this.velocity = velocity;
    this.#splitting = operators.splitting;
    this.#poisson = operators.poisson;
    this.#profiling = profiling;
  }

  /** Creates the fields and the operators. */
  static async create(queue: CommandQueue, options: FlowOptions): Promise<NavierStokes> {
    const { size, start, nu, stream, remesh, profiler } = options;
    const profiling = profiler === undefined ? {} : { profiler };
    const xp = arrays(queue);
    const vorticity = field(xp, size, start);
    const velocity = xp.zerosLike(vorticity);
    const poisson = await PoissonCurl.create(xp, { vorticity, velocity, nu, stream });

    // The velocity in the middle of the step, so that the step is second order in time.
    const [previous, middle] = [velocity.copy(), xp.zerosLike(velocity)];
    const extrapolation = await ElementwiseLauncher.create("extrapolation", queue.context, {
      signature: "const float *velocity, float *previous, float *middle",
      body: "middle[i] = 1.5f * velocity[i] - 0.5f * previous[i]; previous[i] = velocity[i];",
      args: { velocity, previous, middle },
      length: velocity.size,
    });
    const advection = await DirectionalAdvection.create(xp, {
      velocity: middle,
      components: 3,
      remesh,
    });
    const stretching = await DirectionalStretching.create(xp, middle);
    const splitting = new ListLauncher("vortex step", profiling).push(
      extrapolation,
      strangSplitting([advection, stretching], vorticity, xp.zerosLike(vorticity)),
    );
    return new NavierStokes(xp, { vorticity, velocity }, { splitting, poisson }, profiling);
  }

  /** Runs timesteps. Throws if the flow is too fast for `dt`, which is checked every 10 steps. */
  async solve({ steps, dt, every = [], progress = false }: Simulation): Promise<void> {
    const check = async (): Promise<void> =>
      checkTimestep(dt, await this.velocity.absolute().max().item(), sizeOf(this.velocity));
    await runSteps(this.#splitting, {
      queue: this.xp.queue,
      steps,
      parameters: { dt },
      every: [
        { steps: 1, name: "Poisson curl", run: () => this.#poisson.apply(dt) },
        { steps: 10, first: true, name: "check of dt", run: check },
        ...every,
      ],
      progress,
      ...this.#profiling,
    });
  }
}
