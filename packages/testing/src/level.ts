/**
 * How much the tests draw. Without CL_TEST_LONG a run is quick; `1` is the full run, which CI does on the sources; with `2` the
 * comparisons with NumPy take all their cases, each of which is a kernel to build.
 */
import { needs, type Run } from "@cl/base/testing";

const level = Number(process.env["CL_TEST_LONG"] ?? 0);

/** True in a full run. */
export const isFull: boolean = level >= 1;

/** True in a run of all cases. */
export const isExhaustive: boolean = level >= 2;

/** Skips the test in a quick run. `why` says what it would cost or repeat. */
export function needsFull(run: Run, why: string): void {
  needs(run, isFull, `a quick run (see CL_TEST_LONG): ${why}`);
}

/** Skips the tests of a file in a quick run, except those whose title is in `sample`: every feature is tried once. */
export function needsFullExcept(
  run: Run & { readonly task: { readonly name: string } },
  sample: readonly string[],
): void {
  if (!sample.includes(run.task.name)) needsFull(run, childProcesses);
}

/** Why tests in processes of their own are skipped. */
export const childProcesses = "this runs for long in processes of its own";
/** Why draws by fresh seeds are skipped. */
export const freshSeed = "a fresh seed is drawn; here is the fixed one";
