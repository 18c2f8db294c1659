// Shared by the child's jobs; the same arrays as native/array/rig.cc.
import { CommandQueue, Context, Program } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { arrays } from "@cl/array";

import { size, source } from "../core/rig.mjs";
import { now } from "../serve.mjs";

/** Number of elements by the size in job names. */
export const sizes = { "1e3": 1e3, "1e4": 1e4, "1e5": 1e5, "1e6": 1e6, "1e7": 1e7, "1e8": 1e8 };

/** Maximum number of operations between two finishes, so that no side gets far ahead of the device. */
const batch = 10;

export function createRig() {
  const context = Context.create();
  const queue = new CommandQueue(context);
  const xp = arrays(queue, { allocator: new MemoryPool(new ImmediateAllocator(queue)) });
  /** @type {Map<number, ReturnType<typeof makeOperands>>} */
  const cache = new Map();

  /** @param {number} size */
  const makeOperands = (size) => {
    const [a, b, c] = [1, 2, 3].map((seed) => xp.fromHost(randomValues(size, seed)));
    return { a, b, c, out: xp.empty([size], { dtype: "float32" }) };
  };

  /**
   * Returns the operands, created at first use.
   * @param {number} size
   */
  const operands = (size) => {
    let cached = cache.get(size);
    if (cached === undefined) cache.set(size, (cached = makeOperands(size)));
    return cached;
  };

  return { context, queue, xp, operands };
}

/** @typedef {ReturnType<typeof createRig>} Rig */

/**
 * Returns a function that launches the kernel of core's jobs, which multiplies 64 elements.
 * @param {Rig} rig
 */
export async function createScale({ context, queue }) {
  const kernel = (await new Program(context, source("launch.cl")).build()).kernel("scale");
  return (from, to, factor) => kernel.launch(queue, size, from, to, factor, 64);
}

/** @typedef {Awaited<ReturnType<typeof createScale>>} Scale */

/**
 * Returns whether launches reach the driver.
 * @param {Rig} rig
 * @param {Scale} scale
 */
export function launchesAreReal({ xp, operands }, scale) {
  const out = xp.zeros([64], { dtype: "float32" });
  scale(operands(64).a, out, 1);
  return out.dataSync().some((value) => value !== 0);
}

/**
 * Returns nanoseconds per call of `count` calls, in batches that end with a finish.
 * @param {Rig} rig
 * @param {number} count
 * @param {() => void} run
 * @param {number} [depth]
 */
export function timed({ queue }, count, run, depth = batch) {
  const start = now();
  for (let done = 0; done < count; done += depth) {
    for (let i = 0; i < Math.min(depth, count - done); i++) run();
    queue.finishSync();
  }
  return (now() - start) / count;
}

/**
 * Returns a job for each size; `prepare` is called at the first run.
 * @param {Rig} rig
 * @param {string} name
 * @param {(size: number) => () => void} prepare
 */
export function sized(rig, name, prepare) {
  return Object.fromEntries(
    Object.entries(sizes).map(([text, size]) => {
      /** @type {(() => void) | undefined} */
      let run;
      return [`${name}-${text}`, (/** @type {number} */ count) => timed(rig, count, (run ??= prepare(size)))];
    }),
  );
}

/**
 * Returns pseudorandom values in [0, 1).
 * @param {number} size
 * @param {number} seed
 */
function randomValues(size, seed) {
  const values = new Float32Array(size);
  let state = seed;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = (state >>> 8) / 2 ** 24;
  }
  return values;
}
