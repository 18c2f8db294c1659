/** A device, and an array factory on it. */
import { CommandQueue, Context } from "@cl/core";
import { type Arrays, arrays } from "@cl/array";

export const context: Context = Context.create();
export const queue: CommandQueue = new CommandQueue(context);
export const xp: Arrays = arrays(queue);
/** Whether kernels can compute with float64. */
export const hasDoubles: boolean = queue.device.doubleFpConfig !== 0;
