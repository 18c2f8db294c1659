/** Native functions for loans of memory to one borrower after another. */
import type { Handle } from "./handle.js";

/** Native functions for borrowed buffers and shared virtual memory. */
export interface NativeLoans {
  /** Starts counting the memory's loans. */
  makeLendable(memory: Handle): void;
  /** Ends a buffer's loan. Returns true if something still refers to the memory, so that it cannot be reused. */
  endLoan(buffer: Handle): boolean | undefined;
  /**
   * Ends a loan of shared virtual memory and detaches the array over it. Returns true like `endLoan`, and false if V8
   * has not yet released the array.
   */
  endSvmLoan(svm: Handle, array: ArrayBuffer | undefined): boolean | undefined;
  /** Returns whether anything but the handle refers to the shared virtual memory. */
  isReached(svm: Handle): boolean;
  /** Makes later commands of the queue wait for commands that earlier borrowers enqueued on other queues. */
  noteMemoryUse(memory: Handle, queue: Handle): void;
  /** Returns whether all commands of earlier borrowers have ended. */
  isQuiet(memory: Handle): boolean;
  /** Runs a full garbage collection. */
  collectGarbage(): void;
}
