/** A device, and an array factory on it. */
import { CommandQueue, Context } from "@cl/core";
import { type Arrays, arrays } from "@cl/array";
import { needs, type Run } from "@cl/base/testing";

export const context: Context = Context.create();
export const queue: CommandQueue = new CommandQueue(context);
export const xp: Arrays = arrays(queue);
/** Whether kernels can compute with float64. */
export const hasDoubles: boolean = queue.device.doubleFpConfig !== 0;

/** Skips a test if kernels cannot compute with float64. */
export function needsDoubles(run: Run): void {
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
}
