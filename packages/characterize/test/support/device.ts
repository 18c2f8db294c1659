/** The device under test. */
import { CommandQueue, Context, type Device } from "@cl/core";

export const context: Context = Context.create();
export const queue: CommandQueue = new CommandQueue(context);
export const device: Device = context.devices[0] as Device;
