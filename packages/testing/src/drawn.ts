/** Drawing test files by commit, for tests that are too many for one run. */

/** The commit's number in CI; NaN elsewhere. */
const commit = Number(process.env["CL_TEST_SEED"] ?? NaN);

/** Whether the commit draws a test file, as it does with one file in `period`. False outside CI. */
export function isDrawn(file: string, period: number): boolean {
  const name = file.slice(file.lastIndexOf("/test/"));
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum += name.charCodeAt(i);
  return (commit + sum) % period === 0;
}
