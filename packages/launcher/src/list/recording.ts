/**
 * What a list puts on a queue, compiled: runs of kernels, copies and fills become launch lists, which are one native call
 * each; members that enqueue their commands themselves stand between them.
 *
 * Order. On an in-order queue nothing is needed. On an out-of-order queue a barrier stands before the first command, so
 * that a list begins when what came before it has ended, as on an in-order queue, and one between each two members of a
 * sequential list.
 *
 * Failure. A barrier does not pass failures on, events in a wait list do. So what comes after a step that may fail waits
 * for its event, too.
 */
import {
  type BoundKernel,
  type CommandEvent,
  type CommandQueue,
  type Context,
  type CopyRange,
  type DeviceBuffer,
  type FillPattern,
  LaunchList,
} from "@cl/core";

import { type ListOrder, type Member, named, type Recorder } from "../member.js";

/** A run of recorded commands, or a member that is asked each time. */
interface Segment {
  readonly commands?: LaunchList;
  readonly step?: Member;
  readonly mayFail: boolean;
  /** True if it comes after all that is before it, failures included. */
  readonly joins: boolean;
}

/** A list, for queues of one context and one kind. */
export class Recording {
  readonly context: Context;
  readonly #segments: readonly Segment[];
  /** If there is nothing else. */
  readonly #only: LaunchList | undefined;

  constructor(context: Context, outOfOrder: boolean, order: ListOrder, members: readonly Member[]) {
    this.context = context;
    const builder = new Builder(context, outOfOrder);
    try {
      builder.barrier();
      builder.nested(order, members);
    } catch (error) {
      for (const { commands } of builder.segments) commands?.release();
      throw error;
    }
    this.#segments = builder.segments;
    this.#only = this.#segments.length === 1 ? this.#segments[0]?.commands : undefined;
  }

  launch(queue: CommandQueue): void {
    if (this.#only === undefined) releaseAll(this.#run(queue, []));
    else this.#only.launch(queue);
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    if (this.#only !== undefined) return this.#only.enqueue(queue, { waitFor });
    const last = this.#segments.at(-1);
    if (last === undefined) return queue.enqueueMarker(waitFor);
    const steps = this.#run(queue, waitFor);
    // The event of a step that comes after all else says more than a marker's: why it failed.
    if (last.mayFail && (last.joins || this.#segments.length === 1)) {
      const own = steps.pop() as CommandEvent;
      releaseAll(steps);
      return own;
    }
    const end = queue.enqueueMarker();
    const others = [...waitFor, ...steps];
    if (others.length === 0) return end;
    const joined = queue.enqueueMarker([end, ...others]);
    releaseAll([end, ...steps]);
    return joined;
  }

  /** Returns the events of steps that may fail. */
  #run(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent[] {
    const failing: CommandEvent[] = [];
    let joined = 0;
    let waits = waitFor;
    for (const { commands, step, mayFail, joins } of this.#segments) {
      if (joins && joined < failing.length) {
        joined = failing.length;
        waits = [...waitFor, ...failing];
      }
      if (mayFail) failing.push((step as Member).enqueue(queue, waits));
      else if (waits.length > 0) enqueueAfter(commands, step, queue, waits).release();
      else (commands ?? (step as Member)).launch(queue);
    }
    return failing;
  }

  release(): void {
    for (const { commands } of this.#segments) commands?.release();
  }
}

function enqueueAfter(
  commands: LaunchList | undefined,
  step: Member | undefined,
  queue: CommandQueue,
  waitFor: readonly CommandEvent[],
): CommandEvent {
  return commands === undefined ? (step as Member).enqueue(queue, waitFor) : commands.enqueue(queue, { waitFor });
}

function releaseAll(events: readonly CommandEvent[]): void {
  for (const event of events) event.release();
}

class Builder implements Recorder {
  readonly segments: Segment[] = [];
  readonly #context: Context;
  readonly #outOfOrder: boolean;
  #open: LaunchList | undefined;
  #joins = false;
  /** True if a step that may fail came after the last barrier. */
  #mayHaveFailed = false;

  constructor(context: Context, outOfOrder: boolean) {
    this.#context = context;
    this.#outOfOrder = outOfOrder;
  }

  kernel(kernel: BoundKernel, label: string): void {
    this.#commands().push(kernel, { label });
  }

  copy(target: DeviceBuffer, source: DeviceBuffer, range: CopyRange, label: string): void {
    this.#commands().pushCopy(target, source, { ...range, label });
  }

  fill(target: DeviceBuffer, pattern: FillPattern, range: { offset?: number; bytes?: number }, label: string): void {
    this.#commands().pushFill(target, pattern, { ...range, label });
  }

  step(step: Member, mayFail: boolean): void {
    this.segments.push({ step, mayFail, joins: this.#joins });
    this.#open = undefined;
    this.#joins = false;
    this.#mayHaveFailed ||= mayFail;
  }

  nested(order: ListOrder, members: readonly Member[]): void {
    for (const [i, member] of members.entries()) {
      if (i > 0 && order === "sequential") this.barrier();
      try {
        member.record(this);
      } catch (error) {
        throw named(member.words, error);
      }
    }
  }

  /** What follows comes after what was before. */
  barrier(): void {
    // Its failure must reach what follows, which then has to be a segment of its own.
    if (this.#mayHaveFailed) this.#open = undefined;
    this.#joins = true;
    this.#mayHaveFailed = false;
    if (!this.#outOfOrder) return;
    this.#commands().pushBarrier();
    // For a step, which then is the next segment.
    this.#joins = true;
  }

  #commands(): LaunchList {
    if (this.#open === undefined) {
      this.#open = new LaunchList(this.#context);
      this.segments.push({ commands: this.#open, mayFail: false, joins: this.#joins });
      this.#joins = false;
    }
    return this.#open;
  }
}
