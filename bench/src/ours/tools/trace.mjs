// A trace replayed on a pool of device buffers, which are not written.
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
        // The first pass allocates the blocks.
        replayTrace(warm.trace, warm.pool);
      }
      const { duration, failures } = replayTrace(warm.trace, warm.pool);
      if (failures > 0) throw new Error(`${failures} requests failed`);
      return (duration * 1e6) / count;
    },

    // Bytes of the allocated blocks relative to the requested bytes, summed after each request.
    "trace-replay-waste"(count) {
      const pool = createPool(rig);
      let requested = 0;
      let allocated = 0;
      const onProgress = () => {
        requested += pool.activeBytes;
        allocated += pool.managedBytes - pool.heldBytes;
      };
      replayTrace(generateTrace({ requests: count }), pool, { onProgress, progressInterval: 1 });
      pool.freeHeld();
      return 100 * (allocated / requested - 1);
    },

    "trace-replay-growth"(count) {
      const pool = createPool(rig);
      const trace = generateTrace({ requests: count });
      replayTrace(trace, pool);
      const before = pool.managedBytes;
      replayTrace(trace, pool);
      const growth = pool.managedBytes - before;
      const total = pool.managedBytes;
      pool.freeHeld();
      return `${growth / 1024} managedMiB=${Math.round(total / 2 ** 20)}`;
    },
  };
}
