// Context queries with plain values. The Context class reads its devices, which are objects.

import { ContextInfo } from "../binding/constants.js";
import { propertyList, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of a context. */
export interface ContextInfoProperties {
  /** Number of devices. */
  readonly numDevices: number;
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** The property list it was created with, including the terminating 0; empty if there was none. */
  readonly properties: readonly bigint[];
}

/** Queries of {@link ContextInfoProperties}. */
export const contextQueries: Queries<ContextInfoProperties> = {
  numDevices: query(ContextInfo.NUM_DEVICES, uint32, "1.1"),
  referenceCount: query(ContextInfo.REFERENCE_COUNT, uint32),
  properties: query(ContextInfo.PROPERTIES, propertyList),
};
