/** What a test needs of the machine that it runs on. */

/** The part of vitest's test context that is used here. */
export interface Run {
  skip(reason?: string): never;
}

/** Leaves the test out, with the reason, unless `condition` holds. */
export function needs(run: Run, condition: boolean, reason: string): void {
  if (!condition) run.skip(reason);
}
