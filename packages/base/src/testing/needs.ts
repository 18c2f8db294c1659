/** Skips tests that the machine cannot run. */

/** The part of Vitest's test context that is used here. */
export interface Run {
  skip(reason?: string): never;
}

/** Skips the test with the reason unless `condition` is true. */
export function needs(run: Run, condition: boolean, reason: string): void {
  if (!condition) run.skip(reason);
}
