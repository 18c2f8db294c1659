/** Waiting for what would show that a command did not wait. */
import { CommandQueue, type Context } from "@cl/core";

/** Resolves when a command on a queue of its own has completed: one that waited for nothing would have, too. */
export async function roundTrip(context: Context): Promise<void> {
  const queue = new CommandQueue(context);
  await queue.enqueueMarker().wait();
  queue.release();
}
