/** A complete, constant result of `characterize` for a fictitious device. */
import type { Characteristics, Quantity, Unit } from "@cl/characterize";

function quantity(median: number, unit: Unit): Quantity {
  return { median, p10: median * 0.9, p90: median * 1.2, samples: 5, unit };
}

const facts = { measuredAt: "2026-11-20T20:00:00.000Z", seconds: 1.5, notes: [] };

export const result: Characteristics = {
  format: 1,
  device: {
    name: 'Quick & <dirty> "X"',
    vendor: "Example Vendor",
    version: "OpenCL 3.0",
    driverVersion: "1.2",
    platform: "Platform",
    platformVersion: "OpenCL 3.0",
    type: "gpu",
    computeUnits: 132,
    clockFrequency: 1980,
    globalMemory: 140 * 2 ** 30,
    localMemory: 48 * 2 ** 10,
  },
  quick: false,
  localMemoryBankCount: 32,
  timer: { ...facts, deviceResolution: 1e-9, deviceStep: 3.2e-8, hostStep: 4e-8 },
  launch: {
    ...facts,
    latency: quantity(12e-6, "s"),
    awaited: quantity(40e-6, "s"),
    queuedToStart: quantity(5e-6, "s"),
    emptyKernel: quantity(1e-6, "s"),
    inOrder: quantity(7e5, "launches/s"),
    outOfOrder: quantity(6e5, "launches/s"),
    list: quantity(8e5, "launches/s"),
    withEvents: quantity(2e-6, "s"),
    withProfiling: quantity(3e-6, "s"),
  },
  transfer: {
    ...facts,
    curves: [
      {
        kind: "pageable",
        direction: "hostToDevice",
        points: [1, 4096, 2 ** 28].map((bytes) => ({
          bytes,
          time: quantity(1e-5 + bytes / 1e10, "s"),
          bandwidth: quantity(bytes / (1e-5 + bytes / 1e10), "B/s"),
        })),
      },
      { kind: "device", direction: "deviceToDevice", points: [] },
    ],
    mapping: { bytes: 2 ** 28, map: quantity(1e12, "B/s") },
  },
  globalMemory: {
    ...facts,
    bytes: 2 ** 30,
    entries: [
      { operation: "read", width: 1, pattern: "group", rate: quantity(2e12, "B/s") },
      { operation: "read", width: 1, pattern: "range", rate: quantity(3e12, "B/s") },
      { operation: "copy", width: 4, pattern: "single", rate: quantity(4.3e12, "B/s") },
    ],
  },
  localMemory: {
    ...facts,
    dedicated: true,
    read: [{ width: 1, rate: quantity(2e13, "B/s") }],
    strides: [{ stride: 1, time: quantity(1e-8, "s") }],
    banks: { observable: true, count: 32, width: 4 },
  },
  compute: {
    ...facts,
    notes: ["half: the device lacks cl_khr_fp16"],
    entries: [
      { type: "float", width: 1, chains: 1, rate: quantity(3e13, "flop/s") },
      { type: "float", width: 8, chains: 8, rate: quantity(6.1e13, "flop/s") },
      { type: "int", width: 1, chains: 8, rate: quantity(2e13, "op/s") },
    ],
  },
  atomics: { ...facts, entries: [{ memory: "global", target: "one", rate: quantity(2e9, "op/s") }] },
};
