/**
 * The level of a test run, from `CL_TEST_LEVEL`:
 *
 * - `quick`: `npm test`, without the tests tagged `ci` or `full`
 * - `ci`: the tests tagged `ci`, which `.ci/run` runs after the quick ones
 * - `full`: all tests
 * - `random`: those of `full` in files that use `testSeed` or fast-check
 * - `every`: those of `full` in files that use `testsEveryCase`, with all cases that they list
 *
 * A test has a tag (`test("…", { tags: "ci" }, …)`), or its file has one (`@module-tag ci` in its first comment). `test/internal` is
 * tagged `ci`.
 */
const level = process.env["CL_TEST_LEVEL"] ?? "quick";

/** True in a full run. */
export const isFull: boolean = level !== "quick" && level !== "ci";

/** Whether a run uses every case that its test files list, which are too many for a full run. */
export const testsEveryCase: boolean = level === "every";

/** Returns the seed of a random test: `CL_TEST_SEED`, or a fixed one, so that a run repeats the previous one. */
export function testSeed(fixed: number): number {
  return Number(process.env["CL_TEST_SEED"] ?? fixed);
}

/** Returns all cases in a full run, and `count` of them in others, from the first to the last. */
export function sample<T>(cases: readonly T[], count: number): readonly T[] {
  if (isFull || count >= cases.length) return cases;
  const step = (cases.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, k) => cases[Math.round(k * step)] as T);
}

/** Returns a number of random cases: all in a full run, a quarter of `count` in others. */
export function caseCount(count: number): number {
  return isFull ? count : Math.ceil(count / 4);
}
