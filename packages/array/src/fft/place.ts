/** Where transforms read and write, and which way they go. */
import type { Storage } from "../storage/storage.js";

/** Contiguous complex elements in memory, with their offset in elements. */
export interface Place {
  readonly storage: Storage;
  readonly start: number;
}

/** Which way, and by what results are multiplied. */
export interface Direction {
  readonly inverse: boolean;
  readonly scale: number;
}
