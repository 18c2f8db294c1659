/**
 * The amount of testing, set by CL_TEST_LONG. The default is a quick run; `1` is a full run, which CI does on the
 * sources; with `2`, the comparisons with NumPy also run all cases, each of which builds a kernel.
 */
import { needs, type Run } from "@cl/base/testing";

const level = Number(process.env["CL_TEST_LONG"] ?? 0);

/** True in a full run. */
export const isFull: boolean = level >= 1;

/** True in a run of all cases. */
export const isExhaustive: boolean = level >= 2;

/** Skips the test in a quick run. `reason` states what it would cost or repeat. */
export function needsFull(run: Run, reason: string): void {
  needs(run, isFull, `a quick run (see CL_TEST_LONG): ${reason}`);
}

/** Skips a file's tests in a quick run, except those whose title is in `sample`, so that every feature is tested once. */
export function needsFullExcept(
  run: Run & { readonly task: { readonly name: string } },
  sample: readonly string[],
): void {
  if (!sample.includes(run.task.name)) needsFull(run, childProcesses);
}

/** Skip reason for tests that spawn child processes. */
export const childProcesses = "long-running test that spawns child processes";
/** Skip reason for tests with a random seed. */
export const freshSeed = "uses a random seed; the fixed seed is tested";
