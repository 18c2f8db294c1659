/** Validates every property of a result of `characterize` that was read from JSON. */
import type { Characteristics } from "../measure/characteristics.js";
import { amount, type Check, count, either, flag, listOf, oneOf, optional, record, text } from "./schema.js";

const quantityShape = record({
  median: amount,
  p10: amount,
  p90: amount,
  samples: count,
  unit: oneOf("s", "B/s", "flop/s", "op/s", "launches/s"),
});
const quantity: Check = (value) => {
  if (!quantityShape(value)) return false;
  const { p10, median, p90, samples } = value as Record<"p10" | "median" | "p90" | "samples", number>;
  return p10 <= median && median <= p90 && samples > 0;
};
const groupFacts = {
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
const timer = record({ ...groupFacts, deviceResolution: amount, deviceStep: optional(amount), hostStep: amount });
const optionalQuantity = optional(quantity);
const launch = record({
  ...groupFacts,
  latency: optionalQuantity,
  awaited: optionalQuantity,
  queuedToStart: optionalQuantity,
  emptyKernel: optionalQuantity,
  inOrder: optionalQuantity,
  outOfOrder: optionalQuantity,
  list: optionalQuantity,
  withEvents: optionalQuantity,
  withProfiling: optionalQuantity,
});
const curve = record({
  kind: oneOf("pageable", "staged", "pinned", "mapped", "device"),
  direction: oneOf("hostToDevice", "deviceToHost", "deviceToDevice"),
  points: listOf(record({ bytes: count, time: quantity, bandwidth: quantity })),
});
const mapping = record({
  bytes: count,
  map: optionalQuantity,
  copyFrom: optionalQuantity,
  copyTo: optionalQuantity,
  unmap: optionalQuantity,
});
const transfer = record({ ...groupFacts, curves: listOf(curve), mapping });
const bandwidth = record({
  operation: oneOf("read", "write", "copy"),
  width: count,
  pattern: oneOf("group", "range", "single"),
  rate: quantity,
});
const globalMemory = record({ ...groupFacts, bytes: count, entries: listOf(bandwidth) });
const banks = either(
  record({ observable: oneOf(true), count, width: count }),
  record({ observable: oneOf(false), reason: text }),
);
const localMemory = record({
  ...groupFacts,
  dedicated: flag,
  read: listOf(record({ width: count, rate: quantity })),
  strides: listOf(record({ stride: count, time: quantity })),
  banks,
});
const type = oneOf("float", "double", "half", "int");
const compute = record({
  ...groupFacts,
  entries: listOf(record({ type, width: count, chains: count, rate: quantity })),
});
const memory = oneOf("global", "local");
const atomics = record({
  ...groupFacts,
  entries: listOf(record({ memory, target: oneOf("one", "own"), rate: quantity })),
});
const characteristics = record({
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
 * Returns true for a complete result of `characterize` in the current format, such as one parsed from JSON.
 *
 * @example
 * ```ts
 * console.log(isCharacteristics(JSON.parse('{"format":1}'))); // false
 * ```
 */
export function isCharacteristics(value: unknown): value is Characteristics {
  return characteristics(value);
}
