// Pooled memory that kernels write and read.
import { now } from "../serve.mjs";
import { createPool } from "./rig.mjs";

const bytes = 64 * 2 ** 20;
const whole = { global: bytes / 4, local: 256 };
const sumLength = 1_000_000;
const sumSize = { global: sumLength, local: 64 };

/** Maximum number of operations between two finishes, so that no side gets far ahead of the device. */
const batch = 10;

/** @param {import("./rig.mjs").Rig} rig */
export function touchJobs(rig) {
  const { queue, fill, add } = rig;

  /** @param {ReturnType<typeof createPool>} pool */
  const fillTemporary = (pool) => {
    const temporary = pool.allocate(bytes);
    fill.launchAndFinishSync(queue, whole, temporary, 1);
    temporary.release();
  };

  return {
    "pool-first-touch"(count) {
      const pool = createPool(rig);
      fillTemporary(pool);
      const start = now();
      for (let i = 0; i < count; i++) fillTemporary(pool);
      const elapsed = now() - start;
      pool.freeHeld();
      return elapsed / count;
    },

    "pool-first-touch-first"(count) {
      let elapsed = 0;
      for (let i = 0; i < count; i++) {
        const pool = createPool(rig);
        const start = now();
        fillTemporary(pool);
        elapsed += now() - start;
        pool.freeHeld();
      }
      return elapsed / count;
    },

    "pool-add"(count) {
      const pool = createPool(rig);
      const a = pool.allocate(4 * sumLength);
      const b = pool.allocate(4 * sumLength);
      for (const operand of [a, b]) fill.launch(queue, sumSize, operand, 1);
      const sum = () => {
        const result = pool.allocate(4 * sumLength);
        add.launch(queue, sumSize, a, b, result);
        result.release();
      };
      sum();
      queue.finishSync();
      const start = now();
      for (let done = 0; done < count; done += batch) {
        for (let i = 0; i < batch; i++) sum();
        queue.finishSync();
      }
      const elapsed = now() - start;
      a.release();
      b.release();
      pool.freeHeld();
      return elapsed / count;
    },
  };
}
