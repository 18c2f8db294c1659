/** Native functions for host functions; see native/commands/host_function.cc. */
import type { Handle } from "./handle.js";

/** Native functions for host functions. */
export interface NativeHostFunctions {
  /**
   * Returns the events [turn, userEvent, end]. `turn` completes when the function may run, `end` when the user event
   * has completed. On an out-of-order queue `turn` also waits for `waitFor`; on an in-order queue the caller must do
   * so.
   */
  beginHostFunction(queue: Handle, waitFor: Int32Array | undefined, outOfOrder: boolean, label: string): Int32Array;
  /** Returns whether an event waits, directly or indirectly, for the host function with this user event. */
  waitsForFunction(event: Handle, userEvent: Handle): boolean;
  /** Throws if waiting for a command about to be enqueued would deadlock because a host function is pending. */
  refuseToAwait(queue: Handle, waitFor: Int32Array | undefined): void;
}
