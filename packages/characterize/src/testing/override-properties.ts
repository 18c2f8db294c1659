/** Lets tests run code for one kind of device on another. */
import { checkInstance, checkObject, unknownField } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf, replaceFacts } from "../device/facts.js";

/** The device properties that the functions of `@cl/characterize` depend on. */
export type OverridableProperties = Partial<DeviceFacts>;

/**
 * Makes all functions of `@cl/characterize` use other properties of a device until the result is disposed, for example
 * to run kernels for GPUs on a CPU. The device itself does not change. `@cl/array` keeps its launch plans per context,
 * so create a context afterwards. Dispose several overrides of a device in reverse order.
 */
export function overrideProperties(device: Device, properties: OverridableProperties): Disposable {
  const facts = factsOf(checkInstance(device, Device, "device"));
  const unknown = Object.keys(checkObject(properties, "properties")).find((name) => !(name in facts));
  if (unknown !== undefined) throw unknownField("properties", unknown, Object.keys(facts));
  replaceFacts(device, { ...facts, ...properties });
  return { [Symbol.dispose]: (): void => replaceFacts(device, facts) };
}
