/**
 * A fresh random seed, or `CL_TEST_SEED` if set: CI derives it from the commit, so that failures can be reproduced and
 * a commit that passed passes again.
 */
export function untriedSeed(): number {
  const seed = process.env["CL_TEST_SEED"];
  return seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seed);
}
