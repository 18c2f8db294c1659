/** Runs the kernels for one kind of device on any device. */
import { overrideProperties } from "@cl/characterize/testing";

import { queue } from "./device.js";

/**
 * Makes arrays use the kernels for a type of device until the result is disposed. Create a context afterwards, since
 * plans are kept per context.
 */
export function treatAs(type: number): Disposable {
  return overrideProperties(queue.device, { type });
}
