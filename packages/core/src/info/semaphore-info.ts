// The queries of semaphores and command buffers whose answers are plain values.

import { CommandBufferInfo, SemaphoreInfo } from "../binding/constants.js";
import { propertyList, time, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What a semaphore answers about itself. */
export interface SemaphoreInfoProperties {
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** What it was made with. */
  readonly properties: readonly bigint[];
  /** Its kind, of `SemaphoreType`. */
  readonly type: number;
  /** Whether it is signalled. */
  readonly payload: bigint;
}

/** Queries of {@link SemaphoreInfoProperties}. */
export const semaphoreQueries: Queries<SemaphoreInfoProperties> = {
  referenceCount: query(SemaphoreInfo.REFERENCE_COUNT_KHR, uint32, "cl_khr_semaphore"),
  properties: query(SemaphoreInfo.PROPERTIES_KHR, propertyList, "cl_khr_semaphore"),
  type: query(SemaphoreInfo.TYPE_KHR, uint32, "cl_khr_semaphore"),
  payload: query(SemaphoreInfo.PAYLOAD_KHR, time, "cl_khr_semaphore"),
};

/** What a command buffer answers about itself. */
export interface CommandBufferInfoProperties {
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** How far it is, of `CommandBufferState`. */
  readonly state: number;
  /** What it was made with. */
  readonly properties: readonly bigint[];
}

/** Queries of {@link CommandBufferInfoProperties}. */
export const commandBufferQueries: Queries<CommandBufferInfoProperties> = {
  referenceCount: query(CommandBufferInfo.REFERENCE_COUNT_KHR, uint32, "cl_khr_command_buffer"),
  state: query(CommandBufferInfo.STATE_KHR, uint32, "cl_khr_command_buffer"),
  properties: query(CommandBufferInfo.PROPERTIES_ARRAY_KHR, propertyListIfAny, "cl_khr_command_buffer"),
};

/** PoCL 3.1 answers with one byte that means nothing where there is no list. */
function propertyListIfAny(bytes: Uint8Array): readonly bigint[] {
  return bytes.byteLength < 8 ? [] : propertyList(bytes);
}
