/** Options of copies. */
import type { WaitFor } from "../event/event.js";
import type { BoxNumbers, Pitches } from "./rectangle.js";

/** A byte range to copy. */
export interface CopyRange {
  /**
   * Number of bytes. If omitted, source and target must have the same number of bytes after their offsets.
   * @defaultValue all bytes after the offsets
   */
  readonly bytes?: number;
  /**
   * Offset in the source, in bytes.
   * @defaultValue 0
   */
  readonly sourceOffset?: number;
  /**
   * Offset in the target, in bytes.
   * @defaultValue 0
   */
  readonly targetOffset?: number;
}

/** Options for a copy. Sizes are in bytes. With `region`, copies a box; offsets and `bytes` then throw. */
export interface CopyOptions extends CopyRange {
  /** Events that the copy waits for. */
  readonly waitFor?: WaitFor;
  /** Size of the box: bytes per row, rows, slices. */
  readonly region?: BoxNumbers;
  /** Origin of the box in the source: byte, row, slice. */
  readonly sourceOrigin?: BoxNumbers;
  /** Origin of the box in the target: byte, row, slice. */
  readonly targetOrigin?: BoxNumbers;
  /** Row and slice pitch of the source, in bytes. */
  readonly sourcePitches?: Pitches;
  /** Row and slice pitch of the target, in bytes. */
  readonly targetPitches?: Pitches;
}

/** Option names of {@link CopyRange}. */
export const rangeNames = ["bytes", "sourceOffset", "targetOffset"] as const;
/** Names of the options that define a box. */
export const boxNames = ["region", "sourceOrigin", "targetOrigin", "sourcePitches", "targetPitches"] as const;
/** Option names of {@link CopyOptions}. */
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
