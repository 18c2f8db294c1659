/** What the devices of a context demand of buffers, asked once for each context. */
import { oncePer } from "@cl/base";

import { DeviceType } from "../binding/constants.js";
import type { Context } from "../platform/context.js";

/** Limits of the buffers in one context. */
export interface BufferLimits {
  /** The most bytes that any of the devices can allocate at once. */
  readonly maxBytes: number;
  /** Offsets of sub-buffers are multiples of this many bytes, for every device. */
  readonly alignment: number;
  /** Whether all devices are CPUs, whose buffers can live in memory of ours. */
  readonly onHost: boolean;
  /** Whether the driver cannot give back parts that lie over each other (native/objects/overlapping_sub_buffers.h). */
  readonly partsStay: boolean;
}

/** The limits of a context's buffers. */
export const limitsOf: (context: Context) => BufferLimits = oncePer((context) => ({
  maxBytes: Math.max(...context.devices.map((device) => device.maxMemAllocSize)),
  // The query answers in bits. Alignments are powers of two, so the largest is a multiple of all.
  alignment: Math.max(1, ...context.devices.map((device) => device.memBaseAddrAlign / 8)),
  onHost: context.devices.every((device) => (device.type & DeviceType.CPU) !== 0),
  partsStay: context.platform.name === "NVIDIA CUDA",
}));
