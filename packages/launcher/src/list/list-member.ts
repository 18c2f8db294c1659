/** Implementation of `ListLauncher`: its members and their recording. */
import { wrongState } from "@cl/base";
import { type CommandEvent, type CommandQueue, OpenCLError } from "@cl/core";

import { type ListOrder, type Member, prefixError, type Recorder } from "../member.js";
import { takesBigints } from "../parameters/parameter-type.js";
import type { ParameterUse, ParameterValues } from "../parameters/parameter-union.js";
import { type Accesses, allAccesses } from "./access.js";
import { ListStatistics } from "../statistics/member-statistics.js";
import type { LaunchDetails } from "../statistics/tracer.js";
import { releaseMember } from "./holds.js";
import { checkParameters, neededParameters, resultsOf } from "./list-parameters.js";
import { Recording } from "./recording.js";
import { StagedList } from "./staged-list.js";
import type { Tunable } from "../tune/tunable.js";

/** A member that replaces consecutive members. */
export interface Substitute {
  /** Index of the first replaced member, and their number. */
  readonly first: number;
  readonly count: number;
  readonly member: Member;
}

/** Records its members, and replays the recording. */
export class ListMember implements Member {
  readonly displayName: string;
  readonly globalSizeConfigured = true;
  readonly order: ListOrder;
  readonly statistics: ListStatistics;
  readonly #members: Member[] = [];
  /** Members or their substitutes. */
  #running: readonly Member[] = [];
  /** Substitutes, which the list owns. */
  #substitutes: readonly Substitute[] = [];
  readonly #lists: ListMember[] = [];
  /** Members whose version may change. */
  readonly #changing: Member[] = [];
  #pushes = 0;
  /** Running members with parameters, as of version {@link #knownVersion}. The others are skipped to save time. */
  #storingMembers: readonly Member[] = [];
  #names: readonly string[] = [];
  /** For each name, whether its values may be bigints. */
  #bigints: readonly boolean[] = [];
  #knownVersion = -1;
  /** Members that adapt before each launch. */
  #adapting: readonly Member[] = [];
  #recording: Recording | undefined;
  /** Instead of a recording, if members run after a host step with results. */
  #staged: StagedList | undefined;
  #stagedPushes = -1;
  #hasResults = false;
  /** Values of all numeric parameters, in the order of {@link #names}. */
  #values = new Float64Array();
  /** Whether {@link #values} has the last values; otherwise the members have stored them. */
  #passesNumbers = false;
  #launching = false;

  constructor(name: string, order: ListOrder) {
    this.displayName = `list "${name}"`;
    this.order = order;
    this.statistics = new ListStatistics(name);
  }

  get uses(): readonly ParameterUse[] {
    return neededParameters(this.#members);
  }

  /** Names of its host steps' results. */
  get resultNames(): readonly string[] {
    return resultsOf(this.#members).map(({ name }) => name);
  }

  get version(): number {
    let version = this.#pushes;
    for (let i = 0; i < this.#changing.length; i++) version += (this.#changing[i] as Member).version;
    return version;
  }

  describe(): LaunchDetails {
    return { args: [] };
  }

  get length(): number {
    return this.#members.length;
  }

  get names(): readonly string[] {
    this.#refresh();
    return this.#names;
  }

  /** Whether a list is this list or nested in it. */
  contains(other: Member): boolean {
    return this === other || this.#lists.some((list) => list.contains(other));
  }

  /** Appends members, or none if their parameters are incompatible. */
  push(members: readonly Member[]): void {
    checkParameters([...this.#members, ...members], this.displayName);
    this.#members.push(...members);
    this.#hasResults = this.resultNames.length > 0;
    this.#running = [...this.#running, ...members];
    this.statistics.add(members);
    this.#lists.push(...members.filter((member) => member instanceof ListMember));
    this.#changing.push(...members.filter((member) => member instanceof ListMember || member.adapts === true));
    this.#pushes += members.length;
  }

  /** Members in order. */
  get members(): readonly Member[] {
    return [...this.#members];
  }

  /** Members as they run, each with the number of members that it stands for. */
  get runningMembers(): readonly { readonly member: Member; readonly count: number }[] {
    const counts = new Map(this.#substitutes.map(({ member, count }) => [member, count]));
    return this.#running.map((member) => ({ member, count: counts.get(member) ?? 1 }));
  }

  /** Replaces members as they run by substitutes. Earlier substitutes of other members stay, unless they are outdated. */
  replaceRunning(substitutes: readonly Substitute[], isOutdated: (member: Member) => boolean): void {
    const stays = ({ first, count, member }: Substitute): boolean =>
      !isOutdated(member) && !substitutes.some((one) => one.first <= first && first + count <= one.first + one.count);
    this.substitute([...this.#substitutes.filter((one) => stays(one)), ...substitutes]);
  }

  /** Replaces members by substitutes, which the list then owns. Earlier substitutes are released, unless they stay. */
  substitute(substitutes: readonly Substitute[]): void {
    const before = this.#substitutes.filter((one) => !substitutes.includes(one));
    const running: (Member | undefined)[] = [...this.#members];
    for (const { first, count, member } of substitutes) running.fill(undefined, first, first + count)[first] = member;
    this.#running = running.filter((member) => member !== undefined);
    this.#substitutes = substitutes;
    this.statistics.add(substitutes.map(({ member }) => member));
    this.#pushes++;
    this.#forget();
    for (const { member } of before) releaseMember(member);
  }

  setParameters(values: ParameterValues): void {
    this.#checkNotLaunching();
    const stages = this.#stages();
    if (stages !== undefined) {
      stages.setParameters(values);
      return;
    }
    const version = this.#refresh();
    const recording = this.#recording;
    this.#passesNumbers = recording?.version === version && this.#storeNumbers(recording, values);
    setAllParameters(
      this.#passesNumbers ? (recording as Recording).storingMembers : this.#storingMembers,
      values,
      this.displayName,
    );
  }

  /** Sets the parameters of all members. Used by an enclosing list, which does not launch this list's recording. */
  setMemberParameters(values: ParameterValues): void {
    this.#refresh();
    this.#passesNumbers = false;
    const stages = this.#stages();
    if (stages !== undefined) stages.setParameters(values);
    else setAllParameters(this.#storingMembers, values, this.displayName);
  }

  /** Updates cached data and returns the version. */
  #refresh(): number {
    const { version } = this;
    if (version !== this.#knownVersion) {
      this.#storingMembers = this.#running.filter(({ uses }) => uses.length > 0);
      const { uses } = this;
      this.#names = [...new Set(uses.map(({ name }) => name))];
      this.#bigints = this.#names.map((name) => uses.every((use) => use.name !== name || takesBigints(use.type)));
      this.#values = new Float64Array(this.#names.length);
      this.#adapting = this.#changing.filter(({ adapts }) => adapts === true);
      this.#knownVersion = version;
    }
    return version;
  }

  /** Its stages, which replace the recording; `undefined` unless members run after a host step with results. */
  #stages(): StagedList | undefined {
    if (!this.#hasResults) return undefined;
    if (this.#pushes !== this.#stagedPushes) {
      this.#staged?.release();
      this.#staged = StagedList.of(this.displayName, this.#running, (members) => this.#part(members));
      this.#stagedPushes = this.#pushes;
    }
    return this.#staged;
  }

  /** Returns a list of some of the members. */
  #part(members: readonly Member[]): ListMember {
    const part = new ListMember(this.statistics.name, this.order);
    part.push(members);
    return part;
  }

  /** Stores the numbers for the recording. Returns false if a value is not a number, but an object or invalid. */
  #storeNumbers({ numberNames }: Recording, values: ParameterValues): boolean {
    const names = this.#names;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const value = values[name];
      if (typeof value === "number") this.#values[i] = value;
      else if (numberNames.has(name)) {
        const number = this.#bigints[i] === true && typeof value === "bigint" ? Number(value) : NaN;
        if (!Number.isSafeInteger(number)) return false;
        this.#values[i] = number;
      }
    }
    return true;
  }

  /** Numbers to pass to the launch after {@link setParameters}; `undefined` if the members have stored their values. */
  get pendingValues(): Float64Array | undefined {
    return this.#passesNumbers ? this.#values : undefined;
  }

  launch(queue: CommandQueue): void {
    this.launchWith(queue, this.pendingValues);
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    return this.enqueueWith(queue, waitFor, this.pendingValues);
  }

  /** Launches with the values of all parameters in the order of {@link names}, or with the stored values. */
  launchWith(queue: CommandQueue, values: Float64Array | undefined): void {
    this.#checkNotLaunching();
    const stages = this.#stages();
    if (stages !== undefined) {
      this.#enqueueStages(stages, queue, []).release();
      return;
    }
    this.#launching = true;
    try {
      this.#recordingFor(queue).launch(queue, values);
    } catch (error) {
      throw prefixError(this.displayName, this.#parameterError(error, values));
    } finally {
      this.#launching = false;
    }
  }

  /** Like {@link launchWith}, but waits for `waitFor` and returns an event. */
  enqueueWith(queue: CommandQueue, waitFor: readonly CommandEvent[], values: Float64Array | undefined): CommandEvent {
    this.#checkNotLaunching();
    const stages = this.#stages();
    if (stages !== undefined) return this.#enqueueStages(stages, queue, waitFor);
    this.#launching = true;
    try {
      return this.#recordingFor(queue).enqueue(queue, waitFor, values);
    } catch (error) {
      throw prefixError(this.displayName, this.#parameterError(error, values));
    } finally {
      this.#launching = false;
    }
  }

  #enqueueStages(stages: StagedList, queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    this.#launching = true;
    try {
      return stages.enqueue(queue, waitFor);
    } finally {
      this.#launching = false;
    }
  }

  /** Throws if called during a launch: iterators and size functions run then, and a nested launch would replace the values. */
  #checkNotLaunching(): void {
    if (this.#launching) throw wrongState(`${this.displayName} cannot be launched from its own callback`);
  }

  /** Returns the error of the member that rejects a number, which names the parameter. */
  #parameterError(error: unknown, values: Float64Array | undefined): unknown {
    if (values === undefined || error instanceof OpenCLError) return error;
    const byName = Object.fromEntries(this.#names.map((name, i) => [name, values[i]]));
    try {
      for (const member of this.#recording?.numberMembers ?? []) member.setParameters(byName);
    } catch (reason) {
      return reason;
    }
    return error;
  }

  /** Whether a launch can pass all values: the recording is current, and no member stores values. */
  get passesAll(): boolean {
    const recording = this.#recording;
    return recording?.storingMembers.length === 0 && recording.version === this.version;
  }

  get adapts(): boolean {
    return this.#changing.some(({ adapts }) => adapts === true);
  }

  prepare(queue: CommandQueue): void {
    this.#refresh();
    for (let i = 0; i < this.#adapting.length; i++) (this.#adapting[i] as Member).prepare?.(queue);
  }

  tunables(values: ParameterValues): readonly Tunable[] {
    return this.#members.flatMap((member) => member.tunables?.(values) ?? []);
  }

  #recordingFor(queue: CommandQueue): Recording {
    this.prepare(queue);
    const version = this.#refresh();
    const existing = this.#recording;
    if (
      existing?.version === version &&
      (existing.context === queue.context || existing.context.equals(queue.context))
    ) {
      return existing;
    }
    const positions = new Map(this.#names.map((name, i) => [name, i]));
    const recording = new Recording(queue.context, version, this.order, this.#running, positions);
    this.#forget();
    this.#recording = recording;
    return recording;
  }

  record(recorder: Recorder): void {
    if (this.#stages() === undefined) recorder.nested(this.order, this.#running);
    else recorder.step(this, true);
  }

  accesses(): Accesses {
    return allAccesses(this.#running.map((member) => member.accesses()));
  }

  release(): void {
    this.#forget();
    for (const { member } of this.#substitutes) releaseMember(member);
  }

  #forget(): void {
    this.#recording?.release();
    this.#recording = undefined;
    this.#staged?.release();
    this.#staged = undefined;
    this.#stagedPushes = -1;
  }
}

function setAllParameters(members: readonly Member[], values: ParameterValues, displayName: string): void {
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    try {
      if (member instanceof ListMember) member.setMemberParameters(values);
      else member.setParameters(values);
    } catch (error) {
      throw prefixError(displayName, error);
    }
  }
}
