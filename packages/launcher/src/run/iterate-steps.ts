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

/** How to go through steps. */
export interface IterateOptions extends StepOptions {
  /** How many steps are made from one turn of the loop to the next: 1 if not said. */
  readonly every?: number;
}

/**
 * Steps as a loop, whose body sees what is finished: the number of steps that have been made, after each `every` of them
 * and at the end. Leaving the loop ends the run.
 *
 * @example
 * ```ts
 * const step = new KernelLauncher("advect", advect, { args: [u, v], global: 64 });
 * const seen: number[] = [];
 * for await (const made of iterateSteps(step, { queue, steps: 1000, every: 300 })) {
 *   seen.push(made); // and queue.read(v) is what it is after so many steps
 * }
 * console.log(seen); // [ 300, 600, 900, 1000 ]
 * ```
 */
export function iterateSteps<P extends object>(
  launcher: Launcher<P>,
  options: IterateOptions & StepParameters<NoInfer<P>>,
): AsyncGenerator<number, RunResult, undefined>;
export function iterateSteps(
  launcher: ParameterTable,
  options: IterateOptions & TableParameters,
): AsyncGenerator<number, RunResult, undefined>;
export async function* iterateSteps(
  launcher: Launcher<never> | ParameterTable,
  options: IterateOptions,
): AsyncGenerator<number, RunResult, undefined> {
  const given = checkRun(launcher, options);
  const every = checkInteger(options.every ?? 1, "options.every", 1);
  const run = new StepRun(given);
  let failed = true;
  try {
    run.begin();
    while (run.goesOn) {
      const before = run.step;
      await run.advance((Math.floor(before / every) + 1) * every, Infinity);
      if (run.step > before) {
        run.quiet();
        yield run.step;
      }
    }
    failed = false;
  } finally {
    if (failed) await run.end(true);
  }
  return run.end(false);
}
