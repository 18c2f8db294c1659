/**
 * What a list puts on a queue, compiled: runs of kernels, copies and fills become launch lists, which are one native call
 * each; members that enqueue their commands themselves stand between them.
 *
 * Order. On an in-order queue nothing is needed. On an out-of-order queue the list begins when what came before it has
 * ended. Within a run a command follows those that it has to by their events; what has to follow a member that enqueues
 * itself, or a command of an earlier run, is in a run that follows all that was before.
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
import { checkHostFunctionRoom } from "@cl/core/internal";

import { type ListOrder, type Member, named, type NumberParameter, type Recorder, type Step } from "../member.js";
import { precedents } from "./graph.js";

/** A run of recorded commands, or a member that is asked each time. */
interface Segment {
  readonly commands?: LaunchList;
  readonly step?: Step;
  readonly mayFail: boolean;
  /** True if it comes after all that is before it, failures included. A run follows that by itself. */
  readonly joins: boolean;
}

/** A list, for queues of one context. */
export class Recording {
  readonly context: Context;
  /** The version of the list that it is of. */
  readonly version: number;
  /** The parameters that its launches bring as numbers. */
  readonly brought: ReadonlySet<string>;
  /** The members that have those. */
  readonly bringers: readonly Member[];
  /** The members that have parameters and take them themselves. */
  readonly takers: readonly Member[];
  readonly #segments: readonly Segment[];
  /** The number of steps that are host functions. */
  readonly #hostSteps: number;
  /** If there is nothing else. */
  readonly #only: LaunchList | undefined;

  /** `positions` says where each parameter's value lies among those of a launch. */
  constructor(
    context: Context,
    version: number,
    order: ListOrder,
    members: readonly Member[],
    positions: ReadonlyMap<string, number>,
  ) {
    this.context = context;
    this.version = version;
    const builder = new Builder(context, positions);
    try {
      builder.nested(order, members);
    } catch (error) {
      for (const { commands } of builder.segments) commands?.release();
      throw error;
    }
    this.brought = builder.brought;
    this.bringers = builder.bringers;
    this.takers = builder.takers;
    this.#segments = builder.segments;
    this.#hostSteps = builder.segments.filter(({ mayFail }) => mayFail).length;
    this.#only = this.#segments.length === 1 ? this.#segments[0]?.commands : undefined;
  }

  /** Without values, all parameters stay as the members have taken them. */
  launch(queue: CommandQueue, values: Float64Array | undefined): void {
    if (this.#only === undefined) releaseAll(this.#run(queue, none, values));
    else this.#only.launch(queue, values);
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[], values: Float64Array | undefined): CommandEvent {
    if (this.#only !== undefined) return enqueueCommands(this.#only, queue, waitFor, values);
    const last = this.#segments.at(-1);
    const steps = this.#run(queue, waitFor, values);
    // The event of a step that comes after all else says more than a marker's: why it failed.
    if (last?.mayFail === true && (last.joins || this.#segments.length === 1)) {
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
  #run(queue: CommandQueue, waitFor: readonly CommandEvent[], values: Float64Array | undefined): CommandEvent[] {
    // Before anything is enqueued.
    if (this.#hostSteps > 0) checkHostFunctionRoom(this.#hostSteps);
    const failing: CommandEvent[] = [];
    let joined = 0;
    let waits = waitFor;
    if (queue.outOfOrder) queue.enqueueBarrier().release();
    for (const { commands, step, mayFail, joins } of this.#segments) {
      if (joins && step !== undefined && queue.outOfOrder) queue.enqueueBarrier().release();
      if (joins && joined < failing.length) {
        joined = failing.length;
        waits = [...waitFor, ...failing];
      }
      if (commands === undefined) {
        if (mayFail) failing.push((step as Step).enqueue(queue, waits));
        else if (waits.length > 0) (step as Step).enqueue(queue, waits).release();
        else (step as Step).launch(queue);
      } else if (waits.length > 0) enqueueCommands(commands, queue, waits, values).release();
      else commands.launch(queue, values);
    }
    return failing;
  }

  release(): void {
    for (const { commands } of this.#segments) commands?.release();
  }
}

const none: readonly CommandEvent[] = Object.freeze([]);

function enqueueCommands(
  commands: LaunchList,
  queue: CommandQueue,
  waitFor: readonly CommandEvent[],
  values: Float64Array | undefined,
): CommandEvent {
  return commands.enqueue(queue, values === undefined ? { waitFor } : { waitFor, values });
}

function releaseAll(events: readonly CommandEvent[]): void {
  for (const event of events) event.release();
}

/** What a member has to follow: commands of the open run, or all segments before this one. */
interface Front {
  readonly list?: LaunchList;
  readonly commands: readonly number[];
  readonly segment: number;
}

/** Nothing that is in the list. */
const beginning: Front = { commands: [], segment: 0 };

class Builder implements Recorder {
  readonly segments: Segment[] = [];
  readonly brought = new Set<string>();
  readonly bringers: Member[] = [];
  readonly takers: Member[] = [];
  readonly #context: Context;
  readonly #positions: ReadonlyMap<string, number>;
  /** The last segment, if commands can still be appended to it. */
  #open: LaunchList | undefined;
  #front: Front = beginning;
  order: ListOrder = "sequential";
  /** How the member that was just recorded gets its values; lists inside it are known by their members. */
  #getsValues: "itself" | "from the launch" | "known" = "itself";

  constructor(context: Context, positions: ReadonlyMap<string, number>) {
    this.#context = context;
    this.#positions = positions;
  }

  kernel(kernel: BoundKernel, label: string, numbers?: readonly NumberParameter[]): void {
    const scalars: Record<number, number> = {};
    for (const { name, index } of numbers ?? []) {
      scalars[index] = this.#positions.get(name) as number;
      this.brought.add(name);
    }
    this.#append((list, after) => list.push(kernel, { label, after, scalars }));
    if (numbers !== undefined) this.#getsValues = "from the launch";
  }

  copy(target: DeviceBuffer, source: DeviceBuffer, range: CopyRange, label: string): void {
    this.#append((list, after) => list.pushCopy(target, source, { ...range, label, after }));
  }

  fill(target: DeviceBuffer, pattern: FillPattern, range: { offset?: number; bytes?: number }, label: string): void {
    this.#append((list, after) => list.pushFill(target, pattern, { ...range, label, after }));
  }

  step(step: Step, mayFail: boolean): void {
    const joins = this.#front.segment > 0 || this.#front.commands.length > 0;
    this.segments.push({ step, mayFail, joins });
    this.#getsValues = "itself";
    this.#open = undefined;
    this.#front = this.#everything();
  }

  nested(order: ListOrder, members: readonly Member[]): void {
    const start = this.#front;
    const outer = this.order;
    this.order = order;
    const before = order === "graph" ? precedents(members.map((member) => member.accesses())) : undefined;
    const ends: Front[] = [];
    for (const [i, member] of members.entries()) {
      if (order === "parallel") this.#front = start;
      const followed = before?.[i]?.map((j) => ends[j] as Front);
      if (followed !== undefined) this.#front = this.#merged(start, followed);
      this.#record(member);
      ends.push(this.#front);
    }
    this.order = outer;
    if (order !== "sequential") this.#front = this.#merged(start, ends);
    this.#getsValues = "known";
  }

  #record(member: Member): void {
    try {
      member.record(this);
    } catch (error) {
      throw named(member.words, error);
    }
    if (member.uses.length === 0 || this.#getsValues === "known") return;
    (this.#getsValues === "itself" ? this.takers : this.bringers).push(member);
  }

  #append(push: (list: LaunchList, after: readonly number[]) => void): void {
    const { commands, list: before, segment } = this.#front;
    // Events of another run are not known to this one.
    const lost = !this.#reaches(segment) || (commands.length > 0 && before !== this.#open);
    if (lost) this.#open = undefined;
    const list = (this.#open ??= this.#run(lost || segment > 0));
    const { length } = list;
    push(list, lost ? [] : commands);
    this.#getsValues = "itself";
    // What has nothing to do leaves the list as it is.
    if (list.length > length) this.#front = { list, commands: [length], segment: 0 };
  }

  /** True if what is appended now comes after all segments before this one. */
  #reaches(segment: number): boolean {
    if (segment === 0 || this.#open === undefined) return true;
    return segment < this.segments.length && this.segments.at(-1)?.joins === true;
  }

  /** A new run; the first one follows what came before the list. */
  #run(joins: boolean): LaunchList {
    const commands = new LaunchList(this.#context, { follows: joins || this.segments.length === 0 });
    this.segments.push({ commands, mayFail: false, joins });
    return commands;
  }

  /** What comes after all of these, or after `start` if there is nothing in them. */
  #merged(start: Front, fronts: readonly Front[]): Front {
    const segment = Math.max(0, ...fronts.map((front) => front.segment));
    const some = fronts.some(({ commands }) => commands.length > 0);
    if (segment > 0) return some ? this.#everything() : { commands: [], segment };
    const [first, ...others] = fronts.filter(({ commands }) => commands.length > 0);
    if (first?.list === undefined) return start;
    if (others.some(({ list }) => list !== first.list)) return this.#everything();
    return { list: first.list, commands: [...new Set(fronts.flatMap(({ commands }) => commands))], segment: 0 };
  }

  #everything(): Front {
    return { commands: [], segment: this.segments.length };
  }
}
