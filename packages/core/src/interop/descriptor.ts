/** Argument checks shared by memory and semaphore imports. */
import { checkInstance, checkInteger, rangeError, typeError } from "@cl/base";

import { Device } from "../platform/device.js";
import type { Context } from "../platform/context.js";
import { handleOf } from "../binding/resource.js";

/** Returns a checked file descriptor. */
export function checkDescriptor(value: unknown, name: string, min = 0): number {
  return checkInteger(value, name, min, 0x7fffffff);
}

/** Returns `value` if it is one of a group of constants. */
export function checkHandleType(
  value: unknown,
  group: Readonly<Record<string, number>>,
  groupName: string,
  name: string,
): number {
  const known = `one of ${Object.keys(group)
    .map((key) => `${groupName}.${key}`)
    .join(", ")}`;
  if (typeof value !== "number") throw typeError(name, known, value);
  if (!Object.values(group).includes(value)) throw rangeError(name, known, value);
  return value;
}

/** Returns the handles of `devices`; empty for all devices of the context. */
export function deviceHandles(context: Context, devices: readonly Device[] | undefined): Int32Array {
  if (devices === undefined) return new Int32Array(0);
  if (!Array.isArray(devices) || devices.length === 0) {
    throw typeError("options.devices", "an array of the context's devices", devices);
  }
  const handles = Int32Array.from(devices as readonly Device[], (device, i) => {
    const name = `options.devices[${i}]`;
    checkInstance(device, Device, name);
    if (!context.devices.some((member) => member.equals(device))) {
      throw typeError(name, "a device of the context", device);
    }
    return handleOf(device);
  });
  // Drivers default to all devices of the context.
  return context.devices.every((device) => handles.includes(handleOf(device))) ? new Int32Array(0) : handles;
}
