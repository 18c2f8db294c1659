/**
 * Choice between direct transfers and staging through pinned memory (native/commands/staging.h). Staging is faster for
 * large transfers on a device with separate memory, where the driver copies pageable host memory with one thread.
 *
 * On an H200 the driver transfers 64 MiB of pageable memory at 8 (write) and 14 GB/s (read), and pinned memory at 55
 * GB/s; see bench/README.md for the results with staging.
 */
import { availableParallelism } from "node:os";

import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "./queue-base.js";

/** Native transfer calls. */
interface TransferCalls {
  readonly read: typeof native.readBuffer;
  readonly write: typeof native.writeBuffer;
  readonly landing: typeof native.readLanding;
}

const direct: TransferCalls = { read: native.readBuffer, write: native.writeBuffer, landing: native.readLanding };
const staged: TransferCalls = { read: native.stageRead, write: native.stageWrite, landing: native.stageLanding };

/** Minimum size for staging; smaller transfers gain nothing because of the startup cost of the ring and its threads. */
const minStagedBytes = 8 * 2 ** 20;
/** More threads do not increase the bandwidth. */
const maxLanes = 8;

const chosenCalls = new WeakMap<QueueBase, TransferCalls>();
const pinned = new WeakSet<object>();

/** Marks host memory that the driver has pinned, which needs no staging. */
export function notePinned(memory: object): void {
  pinned.add(memory);
}

/**
 * Returns the calls that transfer `bytes` bytes between a queue's device and host memory; omit `memory` if not
 * allocated yet.
 */
export function transferCalls(queue: QueueBase, bytes: number, memory?: object): TransferCalls {
  if (bytes < minStagedBytes || (memory !== undefined && pinned.has(memory))) return direct;
  let chosen = chosenCalls.get(queue);
  if (chosen === undefined) {
    chosen = choose(queue);
    chosenCalls.set(queue, chosen);
  }
  return chosen;
}

/**
 * Chooses a queue's calls for large transfers. `CL_STAGING` overrides the heuristic: `never`, or `always` (for tests).
 */
function choose(queue: QueueBase): TransferCalls {
  const mode = process.env["CL_STAGING"] ?? "auto";
  const { device } = queue;
  const lanes = Math.min(maxLanes, Math.floor(availableParallelism() / 2));
  const useStaging = mode === "always" || (mode !== "never" && lanes >= 2 && !device.hostUnifiedMemory);
  // Without pinning, host memory could move while the threads copy. Profiling needs one command with the driver's
  // times.
  if (!useStaging || !native.canPin() || queue.profiling) return direct;
  native.prepareStaging(handleOf(queue), handleOf(device), queue.outOfOrder, Math.max(2, lanes));
  return staged;
}
