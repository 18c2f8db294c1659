/**
 * A seed that nobody has tried. `CL_TEST_SEED` says it instead: CI takes it from the commit, so that a failure can be repeated, and a
 * commit that passed passes again.
 */
export function untriedSeed(): number {
  const given = process.env["CL_TEST_SEED"];
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
