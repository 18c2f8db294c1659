import { checkInteger } from "@cl/base";

import type { Launcher } from "../launcher.js";
import type { ParameterTable } from "../list/parameter-table.js";
import {
  checkRun,
  type RunResult,
  type StepOptions,
  type StepParameters,
  type TableParameters,
} from "./run-options.js";
import { StepRun } from "./step-run.js";

/** Options of `iterateSteps`. */
export interface IterateOptions extends StepOptions {
  /** Number of steps per iteration. @defaultValue 1 */
  readonly every?: number;
}

// First, because TypeScript explains errors by the last overload.
/** Iterates over a run of a parameter table; `parameters` writes the values of each step into the table. */
export function iterateSteps(
  launcher: ParameterTable,
  options: IterateOptions & TableParameters,
): AsyncGenerator<number, RunResult, undefined>;
/**
 * Iterates over a run. Yields the number of steps that have ended, after each `every` steps and at the end. Leaving the loop
 * ends the run.
 *
 * @example
 * ```ts
 * const step = new KernelLauncher("advect", advect, { args: [u, v], global: 64 });
 * const seen: number[] = [];
 * for await (const made of iterateSteps(step, { queue, steps: 1000, every: 300 })) {
 *   seen.push(made); // queue.read(v) returns the values after this step
 * }
 * console.log(seen); // [ 300, 600, 900, 1000 ]
 * ```
 */
export function iterateSteps<P extends object>(
  launcher: Launcher<P>,
  options: IterateOptions & StepParameters<NoInfer<P>>,
): AsyncGenerator<number, RunResult, undefined>;
export async function* iterateSteps(
  launcher: Launcher<never> | ParameterTable,
  options: IterateOptions,
): AsyncGenerator<number, RunResult, undefined> {
  const checked = checkRun(launcher, options);
  const every = checkInteger(options.every ?? 1, "options.every", 1);
  const run = new StepRun(checked);
  let failed = true;
  try {
    run.begin();
    while (run.running) {
      const before = run.step;
      await run.advance((Math.floor(before / every) + 1) * every, Infinity);
      if (run.step > before) {
        run.hideProgress();
        yield run.step;
      }
    }
    failed = false;
  } finally {
    if (failed) await run.end(true);
  }
  return run.end(false);
}
