/** Registry of profiling queues by number, so that traces can name queues that no longer exist. */
import { checkInteger } from "@cl/base";

import { native } from "../binding/native.js";
import type { Device } from "../platform/device.js";

/** A queue in a trace. */
export interface TracedQueue {
  readonly number: number;
  /** The queue's label; defaults to its number. */
  readonly label: string;
  readonly device: Device;
  /** Whether its commands may execute out of order. */
  readonly outOfOrder: boolean;
}

/** Capacity; the oldest queue is dropped when full. */
const maxQueues = 4096;
const queues = new Map<number, TracedQueue>();

/** @internal Registers a new profiling queue. */
export function noteQueue(handle: number, label: string | undefined, device: Device, outOfOrder: boolean): void {
  const number = native.queueNumber(handle);
  queues.set(number, { number, label: label ?? `queue ${number}`, device, outOfOrder });
  if (queues.size > maxQueues) queues.delete(queues.keys().next().value as number);
}

/**
 * Returns the queue of this thread with a number from a trace; `undefined` for 0 and for queues dropped from the
 * registry.
 */
export function tracedQueue(number: number): TracedQueue | undefined {
  return queues.get(checkInteger(number, "number"));
}
