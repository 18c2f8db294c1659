/** The amount of testing: a full run if CL_TEST_LONG is 1, as in CI, else a quick one. */
import { needs, type Run } from "@cl/base/testing";

import { isDrawn } from "./drawn.js";

/** True in a full run. */
export const isFull: boolean = Number(process.env["CL_TEST_LONG"] ?? 0) > 0;

/**
 * Whether a test file uses every case that it lists. They are too many for one run, so the commit draws one file in 16 in
 * full runs.
 */
export function testsEveryCase(file: string): boolean {
  return isFull && isDrawn(file, 16);
}

/** Returns all cases in a full run, and `count` of them in a quick one, from the first to the last. */
export function sample<T>(cases: readonly T[], count: number): readonly T[] {
  if (isFull || count >= cases.length) return cases;
  const step = (cases.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, k) => cases[Math.round(k * step)] as T);
}

/** Returns a number of random cases: a quarter of `count` in a quick run. */
export function caseCount(count: number): number {
  return isFull ? count : Math.ceil(count / 4);
}

/** Skips the test in a quick run. `reason` states what it would cost or repeat. */
export function needsFull(run: Run, reason: string): void {
  needs(run, isFull, `a quick run (see CL_TEST_LONG): ${reason}`);
}

/** Skips a file's tests in a quick run, except those whose title is in `titles`, so that every feature is tested once. */
export function needsFullExcept(
  run: Run & { readonly task: { readonly name: string } },
  titles: readonly string[],
): void {
  if (!titles.includes(run.task.name)) needsFull(run, childProcesses);
}

/** Skip reason for tests that spawn child processes. */
export const childProcesses = "long-running test that spawns child processes";
/** Skip reason for tests with a random seed. */
export const freshSeed = "uses a random seed; the fixed seed is tested";
