/** Runs the kernels for one kind of device on any device. */
import { CommandQueue, Context, DeviceType } from "@cl/core";
import { type Arrays, arrays } from "@cl/array";
import { overrideProperties } from "@cl/characterize/testing";
import { afterAll, beforeAll } from "vitest";

import { queue } from "./device.js";

/** Names and values of the types of devices with separate kernels. */
export const kinds = [
  ["CPUs", DeviceType.CPU],
  ["GPUs", DeviceType.GPU],
] as const;

/**
 * Makes arrays use the kernels for a type of device until the result is disposed. Create a context afterwards, since
 * plans are kept per context.
 */
export function treatAs(type: number): Disposable {
  return overrideProperties(queue.device, { type });
}

/** Makes the tests of a block use the kernels for a type of device. Returns the factory of a new context for them. */
export function treatBlockAs(type: number): { readonly xp: Arrays } {
  let xp: Arrays;
  let override: Disposable;
  beforeAll(() => {
    // oclgrind reports every device type.
    override = treatAs(type);
    xp = arrays(new CommandQueue(Context.create()));
  });
  afterAll(() => {
    override[Symbol.dispose]();
  });
  return {
    get xp() {
      return xp;
    },
  };
}
