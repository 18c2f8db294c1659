/**
 * Ordering of the commands that access one allocation: writes wait for all earlier accesses, reads for writes.
 *
 * As long as a single in-order queue is used, its order suffices: no event is created, and only the queue is recorded.
 * When another queue is used, a marker is enqueued on the first one and waited for.
 */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { isVisible, nextSerial } from "./moment.js";

/** The last accesses by one queue. The event of an in-order queue is created when a command must wait for it. */
interface Access {
  readonly queue: CommandQueue;
  event: CommandEvent | undefined;
}

/** Most storage never has any: one list for all of it, which stays empty. */
const none: Access[] = [];

/** Maximum number of read events that are kept before they are merged into one. */
const maxReads = 16;

/** The last writer of an allocation and its readers since. Storages that are parts of the same memory share one. */
export class Ordering {
  /** The in-order queue that has done everything so far: nothing else is noted then. */
  #only: CommandQueue | undefined;
  #write: Access | undefined;
  #reads: Access[] = none;
  /** Serial numbers of promises. Most storage never has any. */
  #promises: Set<number> | undefined;

  /**
   * Whether the memory is promised to a pending read: until it is enqueued, stores throw. Stores of calls that were made before the
   * promise do not: the read sees them.
   */
  get isPromised(): boolean {
    if (this.#promises === undefined) return false;
    return [...this.#promises].some((serial) => isVisible(serial));
  }

  /** Prevents stores to the memory until the returned function is called. */
  promise(): () => void {
    const serial = nextSerial();
    const promises = (this.#promises ??= new Set());
    promises.add(serial);
    return () => {
      promises.delete(serial);
    };
  }

  /** Continues with the accesses of another, whose memory this one's storage takes over. Promises stay. */
  takeAccesses(other: Ordering): void {
    this.#only = other.#only;
    this.#write = other.#write;
    this.#reads = other.#reads;
  }

  /**
   * Returns whether commands of this queue need not wait or be recorded. The first in-order queue becomes that queue.
   */
  keepsItself(queue: CommandQueue): boolean {
    if (this.#only === queue) return true;
    const isFirst = this.#only === undefined && this.#write === undefined && this.#reads.length === 0;
    if (!isFirst || queue.outOfOrder) return false;
    this.#only = queue;
    return true;
  }

  /** Adds the events that a command of the queue must wait for. */
  waits(queue: CommandQueue, writing: boolean, into: CommandEvent[]): void {
    if (this.keepsItself(queue)) return;
    if (this.#only !== undefined) {
      // Whether it wrote or read last was not noted.
      this.#write = { queue: this.#only, event: undefined };
      this.#only = undefined;
    }
    const inOrder = !queue.outOfOrder;
    if (this.#write !== undefined && !(inOrder && this.#write.queue === queue)) into.push(eventOf(this.#write));
    if (!writing) return;
    for (const read of this.#reads) {
      if (!(inOrder && read.queue === queue)) into.push(eventOf(read));
    }
  }

  /** Records a command of the queue. Out-of-order queues pass its event. */
  enqueued(queue: CommandQueue, writing: boolean, event: CommandEvent | undefined): void {
    if (this.#only === queue) return;
    if (writing) {
      if (event === undefined && this.#write?.queue === queue) this.#write.event = undefined;
      else this.#write = { queue, event };
      this.#reads = none;
      return;
    }
    if (event === undefined) {
      const known = this.#reads.find((read) => read.queue === queue);
      if (known === undefined) this.#reads = [...this.#reads, { queue, event }];
      else known.event = undefined;
      return;
    }
    this.#reads = [...this.#reads, { queue, event }];
    if (this.#reads.length > maxReads) this.#join(queue);
  }

  /** One marker in place of many events, so that a chain of reads does not grow. */
  #join(queue: CommandQueue): void {
    const events = this.#reads.map((read) => eventOf(read));
    this.#reads = [{ queue, event: queue.enqueueMarker(events) }];
  }
}

/**
 * Returns an event that completes with everything enqueued on the access's queue so far. Flushes the queue, because
 * other queues would otherwise wait forever.
 */
function eventOf(access: Access): CommandEvent {
  access.event ??= access.queue.enqueueMarker();
  access.queue.flush();
  return access.event;
}
