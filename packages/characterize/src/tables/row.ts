/** Rows of the hardware tables. */

export interface LocalMemoryBanks {
  /** Number of banks, each of which serves one word at a time. */
  readonly banks: number;
  /** Number of work-items whose one-word accesses form one access of the memory. */
  readonly simultaneous: number;
}

/** Resources of one compute unit. */
export interface Residency {
  readonly workItems: number;
  readonly groups: number;
  /** Bytes of local memory shared by all resident groups. */
  readonly localBytes: number;
  /** Bytes of local memory that the system reserves in each group. */
  readonly reservedBytesPerGroup: number;
}

/** A row of a table. Properties that its source does not document are omitted. */
export interface Hardware {
  /** Display name of the hardware family. */
  readonly family: string;
  /** Number of work-items that run in lockstep. */
  readonly simdGroupSize?: number;
  readonly localMemory?: LocalMemoryBanks;
  readonly residency?: Residency;
}
