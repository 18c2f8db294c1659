// The command queue queries whose answers are plain values.

import { CommandQueueInfo } from "../binding/constants.js";
import { bitfield, propertyList, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What a command queue answers about itself. */
export interface QueueInfoProperties {
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** Its modes, of `CommandQueueProperties`. */
  readonly properties: number;
  /** Bytes of a device queue. */
  readonly size: number;
  /** The property list it was made with, with its zero; empty when there was none. */
  readonly propertiesArray: readonly bigint[];
  /** Family that it belongs to. */
  readonly familyIntel: number;
  /** Its place in that family. */
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
