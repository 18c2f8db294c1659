/**
 * A compiled list: consecutive kernels, copies and fills become launch lists, which are one native call each. Between them are
 * members that enqueue their commands themselves.
 *
 * Order: an in-order queue needs nothing. On an out-of-order queue, the list starts when all earlier commands have ended. Within
 * a segment, commands wait for the events of their predecessors. A command that depends on an earlier segment, or on a member
 * that enqueues itself, is placed in a segment that starts after all earlier ones.
 *
 * Failures: barriers do not propagate failures, but events in wait lists do. So commands after a step that may fail also wait
 * for its event.
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

import { type ListOrder, type Member, prefixError, type NumberParameter, type Recorder, type Step } from "../member.js";
import { precedents } from "./graph.js";

/** A launch list, or a member that enqueues itself at each launch. */
interface Segment {
  readonly commands?: LaunchList;
  readonly step?: Step;
  readonly mayFail: boolean;
  /** Whether it starts after all earlier segments, including their failures. Launch lists do so on their own. */
  readonly joins: boolean;
}

/** The recording of a list for queues of one context. */
export class Recording {
  readonly context: Context;
  /** Version of the list that was recorded. */
  readonly version: number;
  /** Parameters that launches pass as numbers. */
  readonly numberNames: ReadonlySet<string>;
  /** Members with these parameters. */
  readonly numberMembers: readonly Member[];
  /** Members that store their parameter values themselves. */
  readonly storingMembers: readonly Member[];
  readonly #segments: readonly Segment[];
  /** Number of steps that are host functions. */
  readonly #hostSteps: number;
  /** The launch list if it is the only segment. */
  readonly #only: LaunchList | undefined;

  /** @param positions - index of each parameter's value in a launch's values */
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
    this.numberNames = builder.numberNames;
    this.numberMembers = builder.numberMembers;
    this.storingMembers = builder.storingMembers;
    this.#segments = builder.segments;
    this.#hostSteps = builder.segments.filter(({ mayFail }) => mayFail).length;
    this.#only = this.#segments.length === 1 ? this.#segments[0]?.commands : undefined;
  }

  /** Launches with these values, or with those that the members have stored. */
  launch(queue: CommandQueue, values: Float64Array | undefined): void {
    if (this.#only === undefined) releaseAll(this.#run(queue, noEvents, values));
    else this.#only.launch(queue, values);
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[], values: Float64Array | undefined): CommandEvent {
    if (this.#only !== undefined) return enqueueCommands(this.#only, queue, waitFor, values);
    const last = this.#segments.at(-1);
    const steps = this.#run(queue, waitFor, values);
    // Return the last step's event if everything precedes it, since a marker would not tell why it failed.
    if (last?.mayFail === true && (last.joins || this.#segments.length === 1)) {
      const lastEvent = steps.pop() as CommandEvent;
      releaseAll(steps);
      return lastEvent;
    }
    const end = queue.enqueueMarker();
    const others = [...waitFor, ...steps];
    if (others.length === 0) return end;
    const joined = queue.enqueueMarker([end, ...others]);
    releaseAll([end, ...steps]);
    return joined;
  }

  /** Enqueues all segments. Returns the events of steps that may fail. */
  #run(queue: CommandQueue, waitFor: readonly CommandEvent[], values: Float64Array | undefined): CommandEvent[] {
    // Check before anything is enqueued.
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

const noEvents: readonly CommandEvent[] = Object.freeze([]);

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

/** Predecessors of a member: commands of the open launch list, or all segments before `segment`. */
interface Front {
  readonly list?: LaunchList;
  readonly commands: readonly number[];
  readonly segment: number;
}

/** No predecessors. */
const beginning: Front = { commands: [], segment: 0 };

class Builder implements Recorder {
  readonly segments: Segment[] = [];
  readonly numberNames = new Set<string>();
  readonly numberMembers: Member[] = [];
  readonly storingMembers: Member[] = [];
  readonly #context: Context;
  readonly #positions: ReadonlyMap<string, number>;
  /** The last segment if commands can still be appended to it. */
  #open: LaunchList | undefined;
  #front: Front = beginning;
  order: ListOrder = "sequential";
  /** How the last recorded member receives its values. Nested lists are tracked by their members. */
  #valueSource: "itself" | "from the launch" | "known" = "itself";

  constructor(context: Context, positions: ReadonlyMap<string, number>) {
    this.#context = context;
    this.#positions = positions;
  }

  kernel(kernel: BoundKernel, label: string, numbers?: readonly NumberParameter[]): void {
    const scalars: Record<number, number> = {};
    for (const { name, index } of numbers ?? []) {
      scalars[index] = this.#positions.get(name) as number;
      this.numberNames.add(name);
    }
    this.#append((list, after) => list.push(kernel, { label, after, scalars }));
    if (numbers !== undefined) this.#valueSource = "from the launch";
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
    this.#valueSource = "itself";
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
    this.#valueSource = "known";
  }

  #record(member: Member): void {
    try {
      member.record(this);
    } catch (error) {
      throw prefixError(member.displayName, error);
    }
    if (member.uses.length === 0 || this.#valueSource === "known") return;
    (this.#valueSource === "itself" ? this.storingMembers : this.numberMembers).push(member);
  }

  #append(push: (list: LaunchList, after: readonly number[]) => void): void {
    const { commands, list: before, segment } = this.#front;
    // A launch list cannot wait for events of another one.
    const needsNewList = !this.#reaches(segment) || (commands.length > 0 && before !== this.#open);
    if (needsNewList) this.#open = undefined;
    const list = (this.#open ??= this.#run(needsNewList || segment > 0));
    const { length } = list;
    push(list, needsNewList ? [] : commands);
    this.#valueSource = "itself";
    // An empty command leaves the list unchanged.
    if (list.length > length) this.#front = { list, commands: [length], segment: 0 };
  }

  /** Whether commands appended now start after all segments before this one. */
  #reaches(segment: number): boolean {
    if (segment === 0 || this.#open === undefined) return true;
    return segment < this.segments.length && this.segments.at(-1)?.joins === true;
  }

  /** Starts a launch list. The first one starts after the queue's earlier commands. */
  #run(joins: boolean): LaunchList {
    const commands = new LaunchList(this.#context, { waitForPrevious: joins || this.segments.length === 0 });
    this.segments.push({ commands, mayFail: false, joins });
    return commands;
  }

  /** Merges fronts, or returns `start` if they are empty. */
  #merged(start: Front, fronts: readonly Front[]): Front {
    const segment = Math.max(0, ...fronts.map((front) => front.segment));
    const hasCommands = fronts.some(({ commands }) => commands.length > 0);
    if (segment > 0) return hasCommands ? this.#everything() : { commands: [], segment };
    const [first, ...others] = fronts.filter(({ commands }) => commands.length > 0);
    if (first?.list === undefined) return start;
    if (others.some(({ list }) => list !== first.list)) return this.#everything();
    return { list: first.list, commands: [...new Set(fronts.flatMap(({ commands }) => commands))], segment: 0 };
  }

  #everything(): Front {
    return { commands: [], segment: this.segments.length };
  }
}
