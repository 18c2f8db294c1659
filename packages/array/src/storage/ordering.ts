/**
 * The order of the commands that touch one piece of memory: writes wait for all that came before, reads for writes.
 *
 * While one in-order queue does everything, its own order is enough: no event is made, and nothing is kept but the queue.
 * Only when another queue comes is there a marker on the first one, which is then waited for.
 */
import type { CommandEvent, CommandQueue } from "@cl/core";

/** What one queue did last. An in-order queue's event is made when somebody must wait for it. */
interface Access {
  readonly queue: CommandQueue;
  event: CommandEvent | undefined;
}

/** So many events of reads are kept before they are joined to one. */
const mostReads = 16;

/** Who wrote last, and who has read since. */
export class Ordering {
  #write: Access | undefined;
  #reads: Access[] = [];

  /** Adds what a command of the queue must wait for. */
  waits(queue: CommandQueue, writing: boolean, into: CommandEvent[]): void {
    const inOrder = !queue.outOfOrder;
    if (this.#write !== undefined && !(inOrder && this.#write.queue === queue)) into.push(eventOf(this.#write));
    if (!writing) return;
    for (const read of this.#reads) {
      if (!(inOrder && read.queue === queue)) into.push(eventOf(read));
    }
  }

  /** A command of the queue has been enqueued. Queues that are out of order give its event. */
  enqueued(queue: CommandQueue, writing: boolean, event: CommandEvent | undefined): void {
    if (writing) {
      if (event === undefined && this.#write?.queue === queue) this.#write.event = undefined;
      else this.#write = { queue, event };
      if (this.#reads.length > 0) this.#reads = [];
      return;
    }
    if (event === undefined) {
      const known = this.#reads.find((read) => read.queue === queue);
      if (known === undefined) this.#reads.push({ queue, event });
      else known.event = undefined;
      return;
    }
    this.#reads.push({ queue, event });
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
