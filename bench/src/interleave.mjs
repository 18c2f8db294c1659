// Interleaves measurements. The clock frequency changes over time, so the sides of a job alternate in slices of some tens of
// milliseconds, and each round starts with a different side.

/** @typedef {import("./child.mjs").Answer & { process?: number }} Sample */

// Much longer than a timer tick, but short enough that the clock frequency rarely changes within a slice.
export const sliceNanoseconds = { full: 60e6, quick: 20e6 };

/**
 * @param {ReadonlyMap<string, () => Promise<Sample>>} sides
 * @param {number} rounds
 * @returns {Promise<Map<string, Sample[]>>} one sample per side and round
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

// JavaScript that has just been loaded is interpreted, at a tenth of its later speed; 5000 calls of a reduction pass before all of it
// is compiled.
const warmUpNanoseconds = 500e6;

/**
 * Returns the count that fills a slice. This also warms up the child.
 * @param {(count: number) => Promise<Sample>} run
 * @param {number} multiple
 * @param {number} slice in nanoseconds
 * @returns {Promise<number>}
 */
export async function calibrate(run, multiple, slice) {
  // The first run compiles kernels; its time is meaningless.
  await run(multiple);
  const warmUp = Math.min(warmUpNanoseconds, 8 * slice);
  let count = multiple;
  let total = 0;
  for (;;) {
    const elapsed = (await run(count)).value * count;
    total += elapsed;
    const scaled = Math.ceil((count * slice) / elapsed / multiple) * multiple;
    if (elapsed > slice / 4 && total >= warmUp) return scaled;
    count = Math.min(scaled, count * 20);
  }
}
