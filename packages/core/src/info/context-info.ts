// The context queries whose answers are plain values; its devices are objects, and the Context class reads them.

import { ContextInfo } from "../binding/constants.js";
import { propertyList, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What a context answers about itself. */
export interface ContextInfoProperties {
  /** How many devices it has. */
  readonly numDevices: number;
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** The property list it was made with, with its zero; empty when there was none. */
  readonly properties: readonly bigint[];
}

/** Queries of {@link ContextInfoProperties}. */
export const contextQueries: Queries<ContextInfoProperties> = {
  numDevices: query(ContextInfo.NUM_DEVICES, uint32, "1.1"),
  referenceCount: query(ContextInfo.REFERENCE_COUNT, uint32),
  properties: query(ContextInfo.PROPERTIES, propertyList),
};
