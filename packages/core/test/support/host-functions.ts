/** Shared objects for the tests of host functions. */
import { CommandQueue, DeviceBuffer } from "@cl/core";

import { context, queue } from "./kernels.js";

export { context, queue };
/** A second queue. */
export const other: CommandQueue = new CommandQueue(context);

/** Returns a buffer with one number. */
export function number(value = 0): DeviceBuffer<Int32Array> {
  return DeviceBuffer.from(context, Int32Array.of(value));
}
