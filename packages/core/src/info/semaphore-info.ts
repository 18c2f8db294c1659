// Queries of semaphores and command buffers with plain values.

import { CommandBufferInfo, SemaphoreInfo } from "../binding/constants.js";
import { propertyList, time, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of a semaphore. */
export interface SemaphoreInfoProperties {
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** The property list it was created with, including the terminating 0. */
  readonly properties: readonly bigint[];
  /** Kind of semaphore, a value of `SemaphoreType`. */
  readonly type: number;
  /** State of the semaphore: 1 if it is signaled. */
  readonly payload: bigint;
}

/** Queries of {@link SemaphoreInfoProperties}. */
export const semaphoreQueries: Queries<SemaphoreInfoProperties> = {
  referenceCount: query(SemaphoreInfo.REFERENCE_COUNT_KHR, uint32, "cl_khr_semaphore"),
  properties: query(SemaphoreInfo.PROPERTIES_KHR, propertyList, "cl_khr_semaphore"),
  type: query(SemaphoreInfo.TYPE_KHR, uint32, "cl_khr_semaphore"),
  payload: query(SemaphoreInfo.PAYLOAD_KHR, time, "cl_khr_semaphore"),
};

/** Info properties of a command buffer. */
export interface CommandBufferInfoProperties {
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** State, a value of `CommandBufferState`. */
  readonly state: number;
  /** The property list it was created with, including the terminating 0. */
  readonly properties: readonly bigint[];
}

/** Queries of {@link CommandBufferInfoProperties}. */
export const commandBufferQueries: Queries<CommandBufferInfoProperties> = {
  referenceCount: query(CommandBufferInfo.REFERENCE_COUNT_KHR, uint32, "cl_khr_command_buffer"),
  state: query(CommandBufferInfo.STATE_KHR, uint32, "cl_khr_command_buffer"),
  properties: query(CommandBufferInfo.PROPERTIES_ARRAY_KHR, propertyListIfAny, "cl_khr_command_buffer"),
};

/** Decodes a property list. PoCL 3.1 returns one meaningless byte if the list is missing. */
function propertyListIfAny(bytes: Uint8Array): readonly bigint[] {
  return bytes.byteLength < 8 ? [] : propertyList(bytes);
}
