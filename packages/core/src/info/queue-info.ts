// Command queue queries with plain values.

import { CommandQueueInfo } from "../binding/constants.js";
import { bitfield, propertyList, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of a command queue. */
export interface QueueInfoProperties {
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** Modes, flags of `CommandQueueProperties`. */
  readonly properties: number;
  /** Size of a device queue, in bytes. */
  readonly size: number;
  /** The property list it was created with, including the terminating 0; empty if there was none. */
  readonly propertiesArray: readonly bigint[];
  /** Index of the queue family. */
  readonly familyIntel: number;
  /** Index in the queue family. */
  readonly indexIntel: number;
}

/** Queries of {@link QueueInfoProperties}. */
export const queueQueries: Queries<QueueInfoProperties> = {
  referenceCount: query(CommandQueueInfo.REFERENCE_COUNT, uint32),
  properties: query(CommandQueueInfo.PROPERTIES, bitfield),
  size: query(CommandQueueInfo.SIZE, uint32, "2.0"),
  propertiesArray: query(CommandQueueInfo.PROPERTIES_ARRAY, propertyList, "3.0"),
  familyIntel: query(CommandQueueInfo.FAMILY_INTEL, uint32, "cl_intel_command_queue_families"),
  indexIntel: query(CommandQueueInfo.INDEX_INTEL, uint32, "cl_intel_command_queue_families"),
};
