// A trace on a pool of real buffers. Nothing is written to them.
import { generateTrace, replayTrace } from "@cl/tools";

import { createPool } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function traceJobs(rig) {
  /** @type {{ trace: ReturnType<typeof generateTrace>, pool: ReturnType<typeof createPool> } | undefined} */
  let warm;

  return {
    "trace-replay"(count) {
      if (warm?.trace.requests !== count) {
        warm?.pool.freeHeld();
        warm = { trace: generateTrace({ requests: count }), pool: createPool(rig) };
        // The first pass makes the blocks.
        replayTrace(warm.trace, warm.pool);
      }
      const { duration, failures } = replayTrace(warm.trace, warm.pool);
      if (failures > 0) throw new Error(`${failures} requests found no memory`);
      return (duration * 1e6) / count;
    },

    // The bytes of the lent blocks beside those asked for, summed up after each request.
    "trace-replay-waste"(count) {
      const pool = createPool(rig);
      let asked = 0;
      let lent = 0;
      const onProgress = () => {
        asked += pool.activeBytes;
        lent += pool.managedBytes - pool.heldBytes;
      };
      replayTrace(generateTrace({ requests: count }), pool, { onProgress, every: 1 });
      pool.freeHeld();
      return 100 * (lent / asked - 1);
    },

    "trace-replay-growth"(count) {
      const pool = createPool(rig);
      const trace = generateTrace({ requests: count });
      replayTrace(trace, pool);
      const before = pool.managedBytes;
      replayTrace(trace, pool);
      const growth = pool.managedBytes - before;
      const has = pool.managedBytes;
      pool.freeHeld();
      return `${growth / 1024} managedMiB=${Math.round(has / 2 ** 20)}`;
    },
  };
}
