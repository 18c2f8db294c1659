// Takes turns. The machine's clock moves between rounds, so the sides of a job run one after another in slices of
// some tens of milliseconds, and each round starts with another side.

/** @typedef {import("./child.mjs").Answer & { process?: number }} Sample */

// Long enough to drown a timer's tick, short enough that one slice lies in one state of the clock.
export const sliceNanoseconds = { full: 60e6, quick: 20e6 };

/**
 * @param {ReadonlyMap<string, () => Promise<Sample>>} sides
 * @param {number} rounds
 * @returns {Promise<Map<string, Sample[]>>} for each side one sample a round
 */
export async function interleave(sides, rounds) {
  const names = [...sides.keys()];
  /** @type {Map<string, Sample[]>} */
  const samples = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] ?? "";
      const measure = sides.get(name);
      if (measure !== undefined) samples.get(name)?.push(await measure());
    }
  }
  return samples;
}

/**
 * Finds the count that fills a slice, and warms the child up while it searches.
 * @param {(count: number) => Promise<Sample>} run
 * @param {number} multiple
 * @param {number} slice in nanoseconds
 * @returns {Promise<number>}
 */
export async function calibrate(run, multiple, slice) {
  // The first run compiles kernels and tells nothing.
  await run(multiple);
  let count = multiple;
  for (;;) {
    const elapsed = (await run(count)).value * count;
    const scaled = Math.ceil((count * slice) / elapsed / multiple) * multiple;
    if (elapsed > slice / 4) return scaled;
    count = Math.min(scaled, count * 20);
  }
}
