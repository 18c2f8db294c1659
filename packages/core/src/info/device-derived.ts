// Device properties that no single query answers: a bit of one, or several taken together.

import { CommandQueueProperties, DeviceExecCapabilities, DeviceLocalMemType } from "../binding/constants.js";
import type { DeviceProperties } from "./device-info.js";

/** Reads one property of a device by name. */
export type DevicePropertyReader = <K extends keyof DeviceProperties>(name: K) => DeviceProperties[K];

/** Device properties worked out from others. */
export interface DerivedDeviceProperties {
  /** Whether it has images. */
  readonly hasImageSupport: boolean;
  /** Whether local memory is a memory of its own, and not a part of global memory. */
  readonly hasLocalMem: boolean;
  /** Whether it can run functions of the host. */
  readonly hasNativeKernel: boolean;
  /** Whether its command queues can run out of order. */
  readonly hasQueueOutOfOrderExecMode: boolean;
  /** Whether its command queues can measure times. */
  readonly hasQueueProfiling: boolean;
  /** Bytes of the largest `__constant` argument, as `maxConstantBufferSize`. */
  readonly maxConstBufferSize: number;
  /** Largest two-dimensional image, width and height. */
  readonly maxImage2dShape: readonly [width: number, height: number];
  /** Largest three-dimensional image, width, height and depth. */
  readonly maxImage3dShape: readonly [width: number, height: number, depth: number];
}

/** How each of {@link DerivedDeviceProperties} follows from the queries. */
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
