/** What a row of a table says. */

/** How local memory answers work-items that access it at once. */
export interface LocalMemoryBanks {
  /** Words of which one each can be accessed at once. */
  readonly banks: number;
  /** Work-items whose accesses of one word each are one access of the memory. */
  readonly simultaneous: number;
}

/** What one compute unit holds at once. */
export interface Residency {
  readonly workItems: number;
  readonly groups: number;
  /** Bytes of local memory for all groups together. */
  readonly localBytes: number;
  /** Bytes that each group takes besides its own. */
  readonly reservedBytesPerGroup: number;
}

/** A row of a table. What its source does not say is left out. */
export interface Hardware {
  /** What the row is about, for people. */
  readonly family: string;
  /** Work-items that run in lockstep. */
  readonly simdGroupSize?: number;
  readonly localMemory?: LocalMemoryBanks;
  readonly residency?: Residency;
}
