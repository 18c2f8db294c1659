/** The description of a sort that all algorithms take. */
import type { Operand } from "../storage/operand.js";
import { keyTypeOf } from "./key-source.js";
import type { PlacePlan } from "./places.js";
import type { ArraySource } from "../storage/array-ref.js";

/** Contiguous lines, and where what comes of them goes. All but the source begins where its memory does. */
export interface SortJob {
  readonly xp: ArraySource;
  readonly source: Operand;
  readonly descending: boolean;
  readonly lines: number;
  readonly length: number;
  /** Where the elements go in order; no memory of the source. */
  readonly keys: Operand | undefined;
  readonly places: PlacePlan;
  /** Places that are given. */
  readonly given: Operand | undefined;
  /** Where places go in the order of the keys. */
  readonly results: Operand | undefined;
}

/** What tells the text for one job from that for others. */
export function jobKey({ source, descending, places }: SortJob): string {
  return `${source.dtype} ${String(descending)} ${places.kind} ${places.type} ${places.result}`;
}

/** Where the first element is, in elements. */
export function startOf({ source }: SortJob): bigint {
  return BigInt(source.layout.offset / keyTypeOf(source.dtype).itemSize);
}
