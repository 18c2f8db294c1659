/** Queues with profiling by their numbers, so that a trace can say which they were when they are gone. */
import { checkInteger } from "@cl/base";

import { native } from "../binding/native.js";
import type { Device } from "../platform/device.js";

/** A queue as traces name it. */
export interface TracedQueue {
  readonly number: number;
  /** The queue's label; its number if it has none. */
  readonly label: string;
  readonly device: Device;
  /** True if its commands may overtake each other. */
  readonly outOfOrder: boolean;
}

/** More are not told apart any longer by name: a program that makes queues without end must not grow. */
const most = 4096;
const queues = new Map<number, TracedQueue>();

/** @internal To be called with each new queue that has profiling. */
export function noteQueue(handle: number, label: string | undefined, device: Device, outOfOrder: boolean): void {
  const number = native.queueNumber(handle);
  queues.set(number, { number, label: label ?? `queue ${number}`, device, outOfOrder });
  if (queues.size > most) queues.delete(queues.keys().next().value as number);
}

/** The queue of this thread that traces give this number; undefined for 0, and for what has been forgotten. */
export function tracedQueue(number: number): TracedQueue | undefined {
  return queues.get(checkInteger(number, "number"));
}
