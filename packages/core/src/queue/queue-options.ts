/** Options of queues. */
import { checkInstance, checkInteger, typeError } from "@cl/base";

import { CommandQueueProperties, QueuePriority, QueueProperties, QueueThrottle } from "../binding/constants.js";
import type { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { NotSupportedError } from "../binding/errors.js";

/** Options for creating a queue. */
export interface CommandQueueOptions {
  /**
   * Device of the context that runs the commands.
   * @defaultValue the context's first device
   */
  readonly device?: Device;
  /**
   * Whether commands may execute out of order unless events or barriers order them.
   * @defaultValue false
   */
  readonly outOfOrder?: boolean;
  /**
   * Whether commands record when they are queued, submitted, started and ended.
   * @defaultValue false
   */
  readonly profiling?: boolean;
  /** Priority hint, relative to other queues of the device. Requires `cl_khr_priority_hints`. */
  readonly priority?: "low" | "medium" | "high";
  /** Hint that trades speed for energy. Requires `cl_khr_throttle_hints`. */
  readonly throttle?: "low" | "medium" | "high";
  /** Additional key-value pairs, including vendor-specific ones. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
  /**
   * Maximum number of unfinished launches before a launch waits for the device, so that loops do not fill memory with
   * commands. Within one turn of the event loop a launch waits as long as the device makes progress; launches in
   * different turns wait at most 4 µs each. `Infinity` never waits.
   *
   * @defaultValue 512
   */
  readonly depth?: number;
  /** Label shown in errors and traces. */
  readonly label?: string;
}

const priorities = {
  low: QueuePriority.LOW_KHR,
  medium: QueuePriority.MED_KHR,
  high: QueuePriority.HIGH_KHR,
} as const;
const throttles = {
  low: QueueThrottle.LOW_KHR,
  medium: QueueThrottle.MED_KHR,
  high: QueueThrottle.HIGH_KHR,
} as const;

/** Returns the requested device, or else the context's first. */
export function chooseDevice(context: Context, device: Device | undefined): Device {
  if (device === undefined) return context.devices[0] as Device;
  checkInstance(device, Device, "options.device");
  if (!context.devices.some((member) => member.equals(device))) {
    throw typeError("options.device", "a device of the context", device);
  }
  return device;
}

/** Returns the depth for the native side, where 0 means unlimited. */
export function paceDepth({ depth = 512 }: CommandQueueOptions): number {
  return depth === Infinity ? 0 : checkInteger(depth, "options.depth", 1, 0x7fffffff);
}

/** Returns the native property list, without its terminating 0. */
export function propertyList(device: Device, options: CommandQueueOptions): BigUint64Array {
  const bits =
    (flag(options.outOfOrder, "options.outOfOrder") ? CommandQueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
    (flag(options.profiling, "options.profiling") ? CommandQueueProperties.PROFILING_ENABLE : 0);
  const list: (number | bigint)[] = bits === 0 ? [] : [QueueProperties.PROPERTIES, bits];
  if (options.outOfOrder && !device.hasQueueOutOfOrderExecMode) {
    throw new NotSupportedError("clCreateCommandQueue", `device '${device.name}' does not support out-of-order queues`);
  }
  if (options.profiling && !device.hasQueueProfiling) {
    throw new NotSupportedError("clCreateCommandQueue", `device '${device.name}' does not support profiling queues`);
  }
  const hint = (value: unknown, name: string, values: Readonly<Record<string, number>>, key: number): void => {
    if (value === undefined) return;
    const chosen = typeof value === "string" && Object.hasOwn(values, value) ? values[value] : undefined;
    if (chosen === undefined) throw typeError(`options.${name}`, '"low", "medium" or "high"', value);
    const extension = `cl_khr_${name}_hints`;
    if (!device.hasExtension(extension)) {
      throw new NotSupportedError(
        "clCreateCommandQueueWithProperties",
        `device '${device.name}' lacks the extension ${extension}`,
      );
    }
    list.push(key, chosen);
  };
  hint(options.priority, "priority", priorities, QueueProperties.PRIORITY_KHR);
  hint(options.throttle, "throttle", throttles, QueueProperties.THROTTLE_KHR);
  const pairs: unknown = options.properties ?? [];
  if (!Array.isArray(pairs)) throw typeError("options.properties", "an array of [key, value] pairs", pairs);
  for (const [i, pair] of (pairs as readonly unknown[]).entries()) {
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw typeError(`options.properties[${i}]`, "a [key, value] pair", pair);
    }
    const [key, value] = pair as [unknown, unknown];
    list.push(
      checkInteger(key, `options.properties[${i}][0]`),
      typeof value === "bigint" ? BigInt.asUintN(64, value) : checkInteger(value, `options.properties[${i}][1]`),
    );
  }
  return BigUint64Array.from(list, BigInt);
}

function flag(value: unknown, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw typeError(name, "true or false", value);
  return value;
}
