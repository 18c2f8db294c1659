/**
 * When large transfers go through pinned memory (native/commands/staging.h) instead of the driver's own way: for a device with
 * memory of its own, where the driver copies ordinary host memory with one thread.
 *
 * On an H200 the driver moves 64 MiB of ordinary memory at 8 (write) and 14 GB/s (read), pinned memory at 55: see
 * bench/README.md for what this makes of it.
 */
import { availableParallelism } from "node:os";

import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "./queue-base.js";

/** Native calls of one signature: the driver's way and ours. */
interface Ways {
  readonly read: typeof native.readBuffer;
  readonly write: typeof native.writeBuffer;
  readonly landing: typeof native.readLanding;
}

const direct: Ways = { read: native.readBuffer, write: native.writeBuffer, landing: native.readLanding };
const staged: Ways = { read: native.stageRead, write: native.stageWrite, landing: native.stageLanding };

/** Below this the driver is as fast: the ring takes some events and threads to get going. */
const leastBytes = 8 * 2 ** 20;
/** More threads find no more bandwidth. */
const mostLanes = 8;

const ways = new WeakMap<QueueBase, Ways>();
const pinned = new WeakSet<object>();

/** Says that the driver knows this host memory as pinned, so that it goes to the device as it is. */
export function notePinned(memory: object): void {
  pinned.add(memory);
}

/** How to move so many bytes between a queue's device and host memory; `memory` is not there if it will be made. */
export function waysFor(queue: QueueBase, bytes: number, memory?: object): Ways {
  if (bytes < leastBytes || (memory !== undefined && pinned.has(memory))) return direct;
  let chosen = ways.get(queue);
  if (chosen === undefined) {
    chosen = choose(queue);
    ways.set(queue, chosen);
  }
  return chosen;
}

/** `CL_STAGING` decides against the guess: `never`, or `always`, which tests use where it is not faster. */
function choose(queue: QueueBase): Ways {
  const wanted = process.env["CL_STAGING"] ?? "auto";
  const { device } = queue;
  const lanes = Math.min(mostLanes, Math.floor(availableParallelism() / 2));
  const faster = wanted === "always" || (wanted !== "never" && lanes >= 2 && !device.hostUnifiedMemory);
  // Without pinning, host memory could move while the threads copy. Profiling wants one command with the driver's times.
  if (!faster || !native.canPin() || queue.profiling) return direct;
  native.prepareStaging(handleOf(queue), handleOf(device), queue.outOfOrder, Math.max(2, lanes));
  return staged;
}
