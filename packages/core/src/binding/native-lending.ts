/** Native calls on memory that is lent to one owner after another. */
import type { Handle } from "./handle.js";

/** What the addon exports for lent memory: buffers, or shared virtual memory. */
export interface NativeLending {
  /** From now on its loans are counted. */
  makeLendable(memory: Handle): void;
  /** Ends a buffer's loan; true if something still reaches it, so that it cannot be lent again, else nothing. */
  endLoan(buffer: Handle): boolean | undefined;
  /** The same for shared virtual memory, with the array over it; false if that has still to be let go of. */
  endSvmLoan(svm: Handle, array: ArrayBuffer | undefined): boolean | undefined;
  /** Whether anything but its handle reaches shared virtual memory. */
  isReached(svm: Handle): boolean;
  /** What the queue gets from now on comes after what former owners have enqueued elsewhere. */
  useOn(memory: Handle, queue: Handle): void;
  /** Whether no command of a former owner can still be running. */
  isQuiet(memory: Handle): boolean;
  /** A full collection, at once. */
  collectGarbage(): void;
}
