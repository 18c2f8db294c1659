/** Traces of all ranks on one clock. */
import { checkInstance } from "@cl/base";
import { checkTrace, mergeTraces, type Trace } from "@cl/trace";

import { clockOffset } from "./clock-offset.js";
import { Communicator } from "./communicator.js";
import { checkRank } from "./ranks.js";

/**
 * Returns the traces of all ranks as one on the root, and `undefined` on the others. The devices and queues of each rank are named
 * after it, so that each has a section in reports and a process in Perfetto. Times are those of the root's clock. A collective
 * operation.
 *
 * @example
 * ```ts
 * const trace = await gatherTrace(mpi.world, profiler.trace());
 * if (trace) await writeTrace("ranks.json", trace);
 * ```
 */
export async function gatherTrace(communicator: Communicator, trace: Trace, root = 0): Promise<Trace | undefined> {
  checkInstance(communicator, Communicator, "communicator");
  checkTrace(trace);
  checkRank(communicator, root, "root");
  const offset = await clockOffset(communicator, root);
  const traces = await communicator.gatherJson({ ...trace, origin: trace.origin + offset }, root);
  if (traces === undefined) return undefined;
  return mergeTraces(
    traces.map((one, rank) => withRank(one, rank)),
    traces.map((_, rank) => nameOf(rank)),
  );
}

function nameOf(rank: number): string {
  return `rank ${rank}`;
}

/** Names the devices after a rank. Queues get their names from the merge. */
function withRank(trace: Trace, rank: number): Trace {
  return {
    ...trace,
    queues: trace.queues.map((queue) => ({ ...queue, device: `${nameOf(rank)}: ${queue.device}` })),
  };
}
