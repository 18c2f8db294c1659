/** Drawing test files by commit, for tests that are too many for one run. */

/** The commit's number in CI; NaN elsewhere. */
const commit = Number(process.env["CL_TEST_SEED"] ?? NaN);

/** Whether the commit, or the number `shift` after it, draws a test file, as it does with one file in `period`. False outside CI. */
export function isDrawn(file: string, period: number, shift = 0): boolean {
  const name = file.slice(file.lastIndexOf("/test/"));
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum += name.charCodeAt(i);
  return (commit + shift + sum) % period === 0;
}

/**
 * Returns the one of several cases that the commit draws, in CI; all of them elsewhere. `shift` draws another one, and `bit` uses
 * another bit of the commit, for a draw that does not depend on others.
 */
export function drawn<T>(cases: readonly T[], { shift = 0, bit = 0 } = {}): readonly T[] {
  if (Number.isNaN(commit) || cases.length === 0) return cases;
  return [cases[(Math.floor(commit / 2 ** bit) + shift) % cases.length] as T];
}
