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

/** Options of `runSteps`. */
export interface RunOptions extends StepOptions {
  /** Functions that run periodically between steps: output, checkpoints. */
  readonly every?: readonly HostStep[];
  /** Profiler for the functions of `every`. The launcher uses the profiler that it was created with. */
  readonly profiler?: Profiler;
}

// First, because TypeScript explains errors by the last overload.
/** Launches a list with its parameter table repeatedly; `parameters` writes the values of each step into the table. */
export function runSteps(launcher: ParameterTable, options: RunOptions & TableParameters): Promise<RunResult>;
/**
 * Launches a step repeatedly, at most `depth` commands ahead of the device, without blocking the event loop. Resolves when the
 * last step has ended. Rejects with a `StepError`, which tells the step, if a step or host step fails.
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
export async function runSteps(launcher: Launcher<never> | ParameterTable, options: RunOptions): Promise<RunResult> {
  const checked = checkRun(launcher, options, ["profiler"]);
  const host = new HostSteps(options.every, checked.firstStep, checkProfiler(options.profiler));
  const run = new StepRun(checked);
  let failed = true;
  try {
    run.begin();
    if (run.running) await host.begin(run);
    while (run.running) {
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
