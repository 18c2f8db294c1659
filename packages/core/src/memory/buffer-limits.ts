/** Limits of buffers, queried once per context. */
import { memoizePerObject } from "@cl/base";

import { DeviceType } from "../binding/constants.js";
import type { Context } from "../platform/context.js";

/** Limits of the buffers in one context. */
export interface BufferLimits {
  /** Largest allocation, in bytes, that any of the devices supports. */
  readonly maxBytes: number;
  /** Alignment of sub-buffer offsets in bytes, valid on every device. */
  readonly alignment: number;
  /** Whether all devices are CPUs, whose buffers can use host memory. */
  readonly onHost: boolean;
  /** Whether the driver cannot release overlapping sub-buffers (native/objects/overlapping_sub_buffers.h). */
  readonly leaksOverlaps: boolean;
}

/** The limits of a context's buffers. */
export const limitsOf: (context: Context) => BufferLimits = memoizePerObject((context) => ({
  maxBytes: Math.max(...context.devices.map((device) => device.maxMemAllocSize)),
  // The query returns bits. Alignments are powers of two, so the largest is a multiple of all.
  alignment: Math.max(1, ...context.devices.map((device) => device.memBaseAddrAlign / 8)),
  onHost: context.devices.every((device) => (device.type & DeviceType.CPU) !== 0),
  leaksOverlaps: context.platform.name === "NVIDIA CUDA",
}));
