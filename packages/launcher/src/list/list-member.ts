/** A list as it works: its members, and the recordings that are made of them. */
import { wrongState } from "@cl/base";
import { type CommandEvent, type CommandQueue, OpenCLError } from "@cl/core";

import { type ListOrder, type Member, named, type Recorder } from "../member.js";
import { takesBigints } from "../parameters/parameter-type.js";
import { ParameterUnion, type ParameterUse, type ParameterValues } from "../parameters/parameter-union.js";
import { type Accesses, allAccesses } from "./access.js";
import { ListStatistics } from "../statistics/member-statistics.js";
import type { LaunchWords } from "../statistics/tracer.js";
import { Recording } from "./recording.js";
import type { Tunable } from "../tune/tunable.js";

/** What runs in place of some consecutive members. */
export interface Substitute {
  /** The first of them, and how many. */
  readonly first: number;
  readonly count: number;
  readonly member: Member;
}

/** The working half of a list. */
export class ListMember implements Member {
  readonly words: string;
  readonly globalSizeConfigured = true;
  readonly order: ListOrder;
  readonly statistics: ListStatistics;
  readonly #members: Member[] = [];
  /** What runs: the members, or what stands for some of them. */
  #running: readonly Member[] = [];
  /** Those that stand for members, which the list has made. */
  #substitutes: readonly Substitute[] = [];
  readonly #lists: ListMember[] = [];
  /** Those whose versions may change. */
  readonly #changing: Member[] = [];
  #pushes = 0;
  /** The members that have parameters: the others would only cost time. As of which version is {@link #known}. */
  #takers: readonly Member[] = [];
  #names: readonly string[] = [];
  /** True for each name whose values may be bigints. */
  #bigints: readonly boolean[] = [];
  #known = -1;
  /** The members that are asked before each launch. */
  #adapting: readonly Member[] = [];
  #recording: Recording | undefined;
  /** Values of all parameters that are numbers, in the order of {@link #names}. */
  #values = new Float64Array();
  /** True if the values that were taken last lie there; else all members have taken theirs. */
  #brings = false;
  #launching = false;

  constructor(name: string, order: ListOrder) {
    this.words = `list "${name}"`;
    this.order = order;
    this.statistics = new ListStatistics(name);
  }

  get uses(): readonly ParameterUse[] {
    return this.#members.flatMap(({ uses }) => uses);
  }

  get version(): number {
    let version = this.#pushes;
    for (let i = 0; i < this.#changing.length; i++) version += (this.#changing[i] as Member).version;
    return version;
  }

  describe(): LaunchWords {
    return { args: [] };
  }

  /** How many members it has. */
  get length(): number {
    return this.#members.length;
  }

  /** The parameters of all members. */
  get names(): readonly string[] {
    this.#learn();
    return this.#names;
  }

  /** True if the other list is this one, or one of its members is, or has it. */
  contains(other: Member): boolean {
    return this === other || this.#lists.some((list) => list.contains(other));
  }

  /** Appends all of them, or none if their parameters do not go together. */
  push(members: readonly Member[]): void {
    const union = new ParameterUnion();
    for (const { uses } of [...this.#members, ...members]) union.add(uses, this.words);
    this.#members.push(...members);
    this.#running = [...this.#running, ...members];
    this.statistics.add(members);
    this.#lists.push(...members.filter((member) => member instanceof ListMember));
    this.#changing.push(...members.filter((member) => member instanceof ListMember || member.adapts === true));
    this.#pushes += members.length;
  }

  /** The members, in their order. */
  get members(): readonly Member[] {
    return [...this.#members];
  }

  /** Lets these run in place of the members that they stand for, and instead of those of before. They are the list's now. */
  substitute(substitutes: readonly Substitute[]): void {
    const before = this.#substitutes;
    const running: (Member | undefined)[] = [...this.#members];
    for (const { first, count, member } of substitutes) running.fill(undefined, first, first + count)[first] = member;
    this.#running = running.filter((member) => member !== undefined);
    this.#substitutes = substitutes;
    this.statistics.add(substitutes.map(({ member }) => member));
    this.#pushes++;
    this.#forget();
    for (const { member } of before) member.release();
  }

  take(values: ParameterValues): void {
    this.#refuseToNest();
    const version = this.#learn();
    const recording = this.#recording;
    this.#brings = recording?.version === version && this.#takeNumbers(recording, values);
    takeAll(this.#brings ? (recording as Recording).takers : this.#takers, values, this.words);
  }

  /** Lets all members take their values. A list around this one does so: it does not launch this one's recording. */
  takeByMembers(values: ParameterValues): void {
    this.#learn();
    this.#brings = false;
    takeAll(this.#takers, values, this.words);
  }

  /** Returns the version. */
  #learn(): number {
    const { version } = this;
    if (version !== this.#known) {
      this.#takers = this.#running.filter(({ uses }) => uses.length > 0);
      const { uses } = this;
      this.#names = [...new Set(uses.map(({ name }) => name))];
      this.#bigints = this.#names.map((name) => uses.every((use) => use.name !== name || takesBigints(use.type)));
      this.#values = new Float64Array(this.#names.length);
      this.#adapting = this.#changing.filter(({ adapts }) => adapts === true);
      this.#known = version;
    }
    return version;
  }

  /** False if not all that the recording brings are numbers: objects may stand for one, and wrong values may come. */
  #takeNumbers({ brought }: Recording, values: ParameterValues): boolean {
    const names = this.#names;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const value = values[name];
      if (typeof value === "number") this.#values[i] = value;
      else if (brought.has(name)) {
        const number = this.#bigints[i] === true && typeof value === "bigint" ? Number(value) : NaN;
        if (!Number.isSafeInteger(number)) return false;
        this.#values[i] = number;
      }
    }
    return true;
  }

  /** The numbers that a launch has to bring after {@link take}. */
  get taken(): Float64Array | undefined {
    return this.#brings ? this.#values : undefined;
  }

  launch(queue: CommandQueue): void {
    this.launchWith(queue, this.taken);
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    return this.enqueueWith(queue, waitFor, this.taken);
  }

  /** Launches with the values of all parameters, in the order of {@link names}; or, without any, with what was taken. */
  launchWith(queue: CommandQueue, values: Float64Array | undefined): void {
    this.#refuseToNest();
    this.#launching = true;
    try {
      this.#recordingFor(queue).launch(queue, values);
    } catch (error) {
      throw named(this.words, this.#blamed(error, values));
    } finally {
      this.#launching = false;
    }
  }

  /** Like {@link launchWith}, after `waitFor` and with an event. */
  enqueueWith(queue: CommandQueue, waitFor: readonly CommandEvent[], values: Float64Array | undefined): CommandEvent {
    this.#refuseToNest();
    this.#launching = true;
    try {
      return this.#recordingFor(queue).enqueue(queue, waitFor, values);
    } catch (error) {
      throw named(this.words, this.#blamed(error, values));
    } finally {
      this.#launching = false;
    }
  }

  /** Generators and functions of sizes run during a launch; a launch by them would take its values away. */
  #refuseToNest(): void {
    if (this.#launching) throw wrongState(`${this.words} is being launched, by whom this launch of it was called`);
  }

  /** If a number did not fit, the error of the member that it was for, which knows the parameter. */
  #blamed(error: unknown, values: Float64Array | undefined): unknown {
    if (values === undefined || error instanceof OpenCLError) return error;
    const byName = Object.fromEntries(this.#names.map((name, i) => [name, values[i]]));
    try {
      for (const member of this.#recording?.bringers ?? []) member.take(byName);
    } catch (reason) {
      return reason;
    }
    return error;
  }

  /** True if a launch can bring all values: there is a recording of what is in the list now, and no member asks for any. */
  get bringsAll(): boolean {
    const recording = this.#recording;
    return recording?.takers.length === 0 && recording.version === this.version;
  }

  get adapts(): boolean {
    return this.#changing.some(({ adapts }) => adapts === true);
  }

  prepare(queue: CommandQueue): void {
    this.#learn();
    for (let i = 0; i < this.#adapting.length; i++) (this.#adapting[i] as Member).prepare?.(queue);
  }

  tunables(values: ParameterValues): readonly Tunable[] {
    return this.#members.flatMap((member) => member.tunables?.(values) ?? []);
  }

  #recordingFor(queue: CommandQueue): Recording {
    this.prepare(queue);
    const version = this.#learn();
    const known = this.#recording;
    if (known?.version === version && (known.context === queue.context || known.context.equals(queue.context))) {
      return known;
    }
    const positions = new Map(this.#names.map((name, i) => [name, i]));
    const recording = new Recording(queue.context, version, this.order, this.#running, positions);
    this.#forget();
    this.#recording = recording;
    return recording;
  }

  record(recorder: Recorder): void {
    recorder.nested(this.order, this.#running);
  }

  accesses(): Accesses {
    return allAccesses(this.#running.map((member) => member.accesses()));
  }

  release(): void {
    this.#forget();
    for (const { member } of this.#substitutes) member.release();
  }

  #forget(): void {
    this.#recording?.release();
    this.#recording = undefined;
  }
}

function takeAll(members: readonly Member[], values: ParameterValues, words: string): void {
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    try {
      if (member instanceof ListMember) member.takeByMembers(values);
      else member.take(values);
    } catch (error) {
      throw named(words, error);
    }
  }
}
