import type { Launcher } from "../launcher.js";
import type { ParameterTable } from "../list/parameter-table.js";
import { checkProfiler, type Profiler } from "../statistics/profiler.js";
import { type HostStep, HostSteps } from "./host-steps.js";
import {
  checkRun,
  type RunResult,
  type StepOptions,
  type StepParameters,
  type TableParameters,
} from "./run-options.js";
import { StepRun } from "./step-run.js";

/** How to run steps, with functions in between. */
export interface RunOptions extends StepOptions {
  /** What runs between steps now and then: output, checkpoints. */
  readonly every?: readonly HostStep[];
  /** Counts those functions, too, and has them in its trace. The launcher's own is what it was made with. */
  readonly profiler?: Profiler;
}

/**
 * Launches a timestep again and again: no further ahead of the device than `depth` commands, and with the event loop free
 * for other things. Resolves when the last step has ended. A step or a host step that fails ends the run with a
 * `StepError`, which says which it was.
 *
 * @example
 * ```ts
 * const step = new ListLauncher("timestep").push(
 *   new KernelLauncher("advect", advect, { args: [u, v], global: 64 }),
 *   new KernelLauncher("diffuse", diffuse, { args: [v, u], global: 64 }),
 * );
 * const saved: Float32Array[] = [];
 * const { stopped } = await runSteps(step, {
 *   queue,
 *   steps: 1000,
 *   every: [{ steps: 250, run: async () => saved.push(await queue.read(u)) }],
 * });
 * console.log(saved.length, stopped); // 4 done
 * ```
 */
export function runSteps<P extends object>(
  launcher: Launcher<P>,
  options: RunOptions & StepParameters<NoInfer<P>>,
): Promise<RunResult>;
export function runSteps(launcher: ParameterTable, options: RunOptions & TableParameters): Promise<RunResult>;
export async function runSteps(launcher: Launcher<never> | ParameterTable, options: RunOptions): Promise<RunResult> {
  const given = checkRun(launcher, options, ["profiler"]);
  const host = new HostSteps(options.every, given.from, checkProfiler(options.profiler));
  const run = new StepRun(given);
  let failed = true;
  try {
    run.begin();
    if (run.goesOn) await host.begin(run);
    while (run.goesOn) {
      await run.advance(host.next(Infinity), host.deadline);
      await host.due(run);
    }
    await host.end(run);
    failed = false;
  } finally {
    if (failed) await run.end(true);
  }
  return run.end(false);
}
