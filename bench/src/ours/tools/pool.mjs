// Allocations of sizes that the pool holds.
import { now } from "../serve.mjs";
import { createPool } from "./rig.mjs";

const live = 64;
const steps = 4096;
const smallest = 256;
const largest = 2 ** 20;

/** @param {import("./rig.mjs").Rig} rig */
export function poolJobs(rig) {
  return {
    "pool-4KiB": oneSize(rig, 4096),
    "pool-1MiB": oneSize(rig, 2 ** 20),
    "pool-64MiB": oneSize(rig, 64 * 2 ** 20),
    "pool-mixed": mixed(rig),
  };
}

/**
 * @param {import("./rig.mjs").Rig} rig
 * @param {number} bytes
 */
function oneSize(rig, bytes) {
  const pool = createPool(rig);
  return (/** @type {number} */ count) => {
    // From now on, the pool holds a block of this size.
    pool.allocate(bytes).release();
    const start = now();
    for (let i = 0; i < count; i++) pool.allocate(bytes).release();
    // Do not free the block: V8 is notified of each new 64 MiB and would collect garbage.
    return (now() - start) / count;
  };
}

/** @param {import("./rig.mjs").Rig} rig */
function mixed(rig) {
  const pool = createPool(rig);
  const { slots, sizes } = sequence();
  const blocks = Array.from({ length: live }, (_, i) => pool.allocate(sizes[i]));
  const run = (/** @type {number} */ count) => {
    for (let i = 0; i < count; i++) {
      const slot = slots[i % steps];
      blocks[slot].release();
      blocks[slot] = pool.allocate(sizes[i % steps]);
    }
  };
  return (/** @type {number} */ count) => {
    // Run the sequence once, so that the pool holds all blocks that it needs.
    run(steps);
    const start = now();
    run(count);
    return (now() - start) / count;
  };
}

/** Returns the slots to release and the sizes to allocate, the same as in native/tools/pool.cc. */
function sequence() {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const slots = new Int32Array(steps);
  const sizes = new Int32Array(steps);
  for (let i = 0; i < steps; i++) {
    slots[i] = random() * live;
    sizes[i] = smallest * (largest / smallest) ** random();
  }
  return { slots, sizes };
}
