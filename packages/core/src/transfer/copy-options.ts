/** What to say about a copy. */
import type { WaitFor } from "../event/event.js";
import type { BoxNumbers, Pitches } from "./rectangle.js";

/** A run of bytes to copy. */
export interface CopyRange {
  /** How many bytes. If not said, what lies after the offsets must have the same size on both sides. */
  readonly bytes?: number;
  /** Where to start in the source. */
  readonly sourceOffset?: number;
  /** Where to start in the target. */
  readonly targetOffset?: number;
}

/** What to copy; everything in bytes. With `region` a box is copied, and then offsets and `bytes` are refused. */
export interface CopyOptions extends CopyRange {
  /** What the copy waits for. */
  readonly waitFor?: WaitFor;
  /** The box to copy: bytes of a row, rows, slices. */
  readonly region?: BoxNumbers;
  /** Where the box starts in the source: byte, row, slice. */
  readonly sourceOrigin?: BoxNumbers;
  /** Where the box starts in the target: byte, row, slice. */
  readonly targetOrigin?: BoxNumbers;
  /** Bytes from row to row and from slice to slice in the source. */
  readonly sourcePitches?: Pitches;
  /** Bytes from row to row and from slice to slice in the target. */
  readonly targetPitches?: Pitches;
}

/** The names of a {@link CopyRange}. */
export const rangeNames = ["bytes", "sourceOffset", "targetOffset"] as const;
/** The names of what says a box. */
export const boxNames = ["region", "sourceOrigin", "targetOrigin", "sourcePitches", "targetPitches"] as const;
/** The names of {@link CopyOptions}. */
export const copyNames = [
  "waitFor",
  "bytes",
  "sourceOffset",
  "targetOffset",
  "region",
  "sourceOrigin",
  "targetOrigin",
  "sourcePitches",
  "targetPitches",
] as const;
