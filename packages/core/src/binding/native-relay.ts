/** Native functions for relays; see native/commands/relay.cc. */
import type { Handle } from "./handle.js";

/** Which commands of a relay's turn a launch enqueues. */
export const relayHalves = { whole: 0, reads: 1, writes: 2 } as const;

/** Native functions for relays. */
export interface NativeRelay {
  /** `receiver` is an external value of another addon; `number` tells it whose turn it is. It takes no part if `isIdle`. */
  createRelay(context: Handle, receiver: unknown, number: number, isIdle: boolean): Handle;
  /** Adds a part that is read. The scratch block has its box, the memory's side first (writeRectangle in scratch.ts). */
  relayRead(relay: Handle, memory: Handle, message: number): void;
  relayWrite(relay: Handle, memory: Handle, message: number): void;
  /** The scratch block has both boxes. */
  relayCopy(relay: Handle, from: Handle, to: Handle): void;
  /** Returns the event of the second half if `wantEvent` is set. `statistics` record the waits on queues with profiling; 0 for none. */
  launchRelay(
    queue: Handle,
    relay: Handle,
    waitFor: Int32Array | undefined,
    half: number,
    wantEvent: boolean,
    statistics: Handle,
  ): Handle | undefined;
  /** Returns a value that holds the memory until it is collected; `undefined` if memory cannot be pinned. */
  pinMemory(host: ArrayBufferView): unknown;
}
