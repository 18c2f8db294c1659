/** The native calls of host functions; see native/commands/host_function.cc. */
import type { Handle } from "./handle.js";

/** What the addon exports for host functions. */
export interface NativeHostFunctions {
  /**
   * [turn, user event, end]: the turn completes when the function may run, the end when the user event has. Out of order
   * the turn waits for `waitFor` too; in order that is the caller's affair.
   */
  beginHostFunction(queue: Handle, waitFor: Int32Array | undefined, outOfOrder: boolean, label: string): Int32Array;
  /** Whether an event waits, directly or not, for the host function with this user event. */
  waitsForFunction(event: Handle, userEvent: Handle): boolean;
  /** Throws where waiting for a command that is to be enqueued would never end, because a host function is pending. */
  refuseToAwait(queue: Handle, waitFor: Int32Array | undefined): void;
}
