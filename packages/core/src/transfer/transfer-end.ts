/** Waits for the events of transfers, asynchronously or blocking. */
import { completionOf } from "../binding/completion.js";
import { CommandStatus } from "../binding/constants.js";
import { driverError } from "../binding/errors.js";
import { type Handle, native } from "../binding/native.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";

/** Resolves when the event has completed; rejects with its error or the signal's reason. Releases the event. */
export async function waitForTransfer(
  queue: QueueBase,
  event: Handle,
  routine: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const done = completionOf((id) => native.watchEvent(event, CommandStatus.COMPLETE, id), signal, event);
    queue.flushSoon();
    const status = await done;
    if (status < 0) throw driverError(routine, status);
  } finally {
    native.recycle(event);
  }
}

/** Blocks until the event has completed, and releases it. */
export function waitForTransferSync(event: Handle): void {
  try {
    native.waitSync(Int32Array.of(event));
  } finally {
    native.recycle(event);
  }
}

/** Returns the event of an empty transfer: a marker, because drivers reject empty transfers. */
export function enqueueEmptyTransfer(queue: QueueBase, waitFor: Int32Array | undefined): Handle {
  return native.marker(handleOf(queue), waitFor, true) as Handle;
}
