/** Whether something that came from outside is a result of `characterize`: every property of it. */
import type { Characteristics } from "../measure/characteristics.js";
import { amount, type Check, count, either, flag, listOf, oneOf, optional, record, text } from "./schema.js";

const shape = record({
  median: amount,
  p10: amount,
  p90: amount,
  samples: count,
  unit: oneOf("s", "B/s", "flop/s", "op/s", "launches/s"),
});
const quantity: Check = (value) => {
  if (!shape(value)) return false;
  const { p10, median, p90, samples } = value as Record<"p10" | "median" | "p90" | "samples", number>;
  return p10 <= median && median <= p90 && samples > 0;
};
const facts = {
  measuredAt: (value: unknown) => text(value) && !Number.isNaN(Date.parse(value as string)),
  seconds: amount,
  notes: listOf(text),
};
const device = record({
  name: text,
  vendor: text,
  version: text,
  driverVersion: text,
  platform: text,
  platformVersion: text,
  type: oneOf("cpu", "gpu", "accelerator", "custom"),
  computeUnits: count,
  clockFrequency: count,
  globalMemory: amount,
  localMemory: amount,
});
const timer = record({ ...facts, deviceResolution: amount, deviceStep: optional(amount), hostStep: amount });
const maybe = optional(quantity);
const launch = record({
  ...facts,
  latency: maybe,
  awaited: maybe,
  queuedToStart: maybe,
  emptyKernel: maybe,
  inOrder: maybe,
  outOfOrder: maybe,
  list: maybe,
  withEvents: maybe,
  withProfiling: maybe,
});
const curve = record({
  kind: oneOf("pageable", "staged", "pinned", "mapped", "device"),
  direction: oneOf("hostToDevice", "deviceToHost", "deviceToDevice"),
  points: listOf(record({ bytes: count, time: quantity, bandwidth: quantity })),
});
const mapping = record({ bytes: count, map: maybe, copyFrom: maybe, copyTo: maybe, unmap: maybe });
const transfer = record({ ...facts, curves: listOf(curve), mapping });
const bandwidth = record({
  operation: oneOf("read", "write", "copy"),
  width: count,
  pattern: oneOf("group", "range", "single"),
  rate: quantity,
});
const globalMemory = record({ ...facts, bytes: count, entries: listOf(bandwidth) });
const banks = either(
  record({ observable: oneOf(true), count, width: count }),
  record({ observable: oneOf(false), reason: text }),
);
const localMemory = record({
  ...facts,
  dedicated: flag,
  read: listOf(record({ width: count, rate: quantity })),
  strides: listOf(record({ stride: count, time: quantity })),
  banks,
});
const type = oneOf("float", "double", "half", "int");
const compute = record({ ...facts, entries: listOf(record({ type, width: count, chains: count, rate: quantity })) });
const memory = oneOf("global", "local");
const atomics = record({ ...facts, entries: listOf(record({ memory, target: oneOf("one", "own"), rate: quantity })) });
const whole = record({
  format: oneOf(1),
  device,
  quick: flag,
  localMemoryBankCount: optional(count),
  timer: optional(timer),
  launch: optional(launch),
  transfer: optional(transfer),
  globalMemory: optional(globalMemory),
  localMemory: optional(localMemory),
  compute: optional(compute),
  atomics: optional(atomics),
});

/**
 * True for a whole result of `characterize` of this version, such as one that was kept as JSON.
 *
 * @example
 * ```ts
 * console.log(isCharacteristics(JSON.parse('{"format":1}'))); // false
 * ```
 */
export function isCharacteristics(value: unknown): value is Characteristics {
  return whole(value);
}
