/** A delay that reveals commands that fail to wait. */
import { CommandQueue, type Context } from "@cl/core";

/** Resolves when a marker on a new queue has completed. A command that does not wait has completed by then, too. */
export async function roundTrip(context: Context): Promise<void> {
  const queue = new CommandQueue(context);
  await queue.enqueueMarker().wait();
  queue.release();
}
