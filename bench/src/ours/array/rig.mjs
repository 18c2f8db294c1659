// What the jobs of the child share; the same arrays as native/array/rig.cc.
import { CommandQueue, Context } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { arrays } from "@cl/array";

import { now } from "../serve.mjs";

/** Elements by the sizes in the names of jobs. */
export const sizes = { "1e3": 1e3, "1e4": 1e4, "1e5": 1e5, "1e6": 1e6, "1e7": 1e7, "1e8": 1e8 };

/** Finish at least so often, so that no side gets far ahead of the device. */
const batch = 10;

export function createRig() {
  const context = Context.create();
  const queue = new CommandQueue(context);
  const xp = arrays(queue, { allocator: new MemoryPool(new ImmediateAllocator(queue)) });
  /** @type {Map<number, ReturnType<typeof makeOperands>>} */
  const made = new Map();

  /** @param {number} size */
  const makeOperands = (size) => {
    const [a, b, c] = [1, 2, 3].map((seed) => xp.fromHost(randomValues(size, seed)));
    return { a, b, c, out: xp.empty([size], { dtype: "float32" }) };
  };

  /**
   * Made at their first use, and kept.
   * @param {number} size
   */
  const operands = (size) => {
    let own = made.get(size);
    if (own === undefined) made.set(size, (own = makeOperands(size)));
    return own;
  };

  return { context, queue, xp, operands };
}

/** @typedef {ReturnType<typeof createRig>} Rig */

/**
 * Nanoseconds of one of `count` calls, in batches that end with a finish.
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
 * A job for each size; `prepare` is called at its first use.
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
 * Between 0 and 1.
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
