// Device properties derived from one or several queries.

import { CommandQueueProperties, DeviceExecCapabilities, DeviceLocalMemType } from "../binding/constants.js";
import type { DeviceProperties } from "./device-info.js";

/** Reads one property of a device by name. */
export type DevicePropertyReader = <K extends keyof DeviceProperties>(name: K) => DeviceProperties[K];

/** Device properties derived from others. */
export interface DerivedDeviceProperties {
  /** Whether images are supported. */
  readonly hasImageSupport: boolean;
  /** Whether local memory is separate from global memory. */
  readonly hasLocalMem: boolean;
  /** Whether native kernels (host functions called by the device) are supported. */
  readonly hasNativeKernel: boolean;
  /** Whether out-of-order command queues are supported. */
  readonly hasQueueOutOfOrderExecMode: boolean;
  /** Whether profiling of command queues is supported. */
  readonly hasQueueProfiling: boolean;
  /** Maximum size of a `__constant` argument, in bytes; same as `maxConstantBufferSize`. */
  readonly maxConstBufferSize: number;
  /** Maximum width and height of a 2-D image. */
  readonly maxImage2dShape: readonly [width: number, height: number];
  /** Maximum width, height and depth of a 3-D image. */
  readonly maxImage3dShape: readonly [width: number, height: number, depth: number];
}

/** The functions that compute {@link DerivedDeviceProperties}. */
export const derivedDeviceProperties: {
  readonly [K in keyof DerivedDeviceProperties]: (read: DevicePropertyReader) => DerivedDeviceProperties[K];
} = {
  hasImageSupport: (read) => read("imageSupport"),
  hasLocalMem: (read) => read("localMemType") === DeviceLocalMemType.LOCAL,
  hasNativeKernel: (read) => hasBit(read("executionCapabilities"), DeviceExecCapabilities.NATIVE_KERNEL),
  hasQueueOutOfOrderExecMode: (read) =>
    hasBit(read("queueProperties"), CommandQueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE),
  hasQueueProfiling: (read) => hasBit(read("queueProperties"), CommandQueueProperties.PROFILING_ENABLE),
  maxConstBufferSize: (read) => read("maxConstantBufferSize"),
  maxImage2dShape: (read) => [read("image2dMaxWidth"), read("image2dMaxHeight")],
  maxImage3dShape: (read) => [read("image3dMaxWidth"), read("image3dMaxHeight"), read("image3dMaxDepth")],
};

function hasBit(value: number, bit: number): boolean {
  return (value & bit) !== 0;
}
