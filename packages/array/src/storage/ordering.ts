/**
 * The order of the commands that touch one piece of memory: writes wait for all that came before, reads for writes.
 *
 * While one in-order queue does everything, its own order is enough: no event is made, and nothing is noted but the queue.
 * Only when another queue comes is there a marker on the first one, which is then waited for.
 */
import type { CommandEvent, CommandQueue } from "@cl/core";

/** What one queue did last. An in-order queue's event is made when somebody must wait for it. */
interface Access {
  readonly queue: CommandQueue;
  event: CommandEvent | undefined;
}

/** Most storage never has any: one list for all of it, which stays empty. */
const none: Access[] = [];

/** So many events of reads are kept before they are joined to one. */
const mostReads = 16;

/** Who wrote last, and who has read since. Storages that are parts of the same memory have the same one. */
export class Ordering {
  /** The in-order queue that has done everything so far: nothing else is noted then. */
  #only: CommandQueue | undefined;
  #write: Access | undefined;
  #reads: Access[] = none;
  #promised = 0;

  /** True while something waits for the host to know more before it can be read: until then nothing may be stored. */
  get isPromised(): boolean {
    return this.#promised > 0;
  }

  /** Keeps what is in the memory until the function that it gives is called. */
  promise(): () => void {
    this.#promised++;
    return () => {
      this.#promised--;
    };
  }

  /** True if commands of this queue wait for nothing and need not be noted. The first queue in order becomes that one. */
  keepsItself(queue: CommandQueue): boolean {
    if (this.#only === queue) return true;
    const isFirst = this.#only === undefined && this.#write === undefined && this.#reads.length === 0;
    if (!isFirst || queue.outOfOrder) return false;
    this.#only = queue;
    return true;
  }

  /** Adds what a command of the queue must wait for. */
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

  /** A command of the queue has been enqueued. Queues that are out of order give its event. */
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
    if (this.#reads.length > mostReads) this.#join(queue);
  }

  /** One marker in place of many events, so that a chain of reads does not grow. */
  #join(queue: CommandQueue): void {
    const events = this.#reads.map((read) => eventOf(read));
    this.#reads = [{ queue, event: queue.enqueueMarker(events) }];
  }
}

/** Completes with everything that the access's queue was given so far. Other queues must not wait for ever, hence the flush. */
function eventOf(access: Access): CommandEvent {
  access.event ??= access.queue.enqueueMarker();
  access.queue.flush();
  return access.event;
}
