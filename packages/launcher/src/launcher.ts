/** What all launchers share: a name, parameters, and the two ways to put something on a queue. */
import { checkOptions, typeError, wrongState } from "@cl/base";
import { type CommandEvent, CommandQueue, DisposedError, type WaitFor } from "@cl/core";

import type { LauncherOptions } from "./launcher-options.js";
import type { Member } from "./member.js";
import { setMember } from "./member-of.js";
import { type ParameterInfo, ParameterUnion, type ParameterValues } from "./parameters/parameter-union.js";
import { announce, traceWith } from "./statistics/announce.js";
import { environmentWatchers } from "./statistics/environment.js";
import { eventsOf, type LauncherEvents, LauncherStatistics } from "./statistics/launcher-statistics.js";
import { waitList } from "./wait-list.js";

/** How to enqueue. */
export interface LauncherEnqueueOptions {
  /** What all of it waits for. */
  readonly waitFor?: WaitFor;
}

/** The parameters' values, which may be left out where there are no parameters, and what comes behind them. */
export type LaunchArguments<P extends object, Rest extends readonly unknown[] = []> = {} extends P
  ? [parameters?: P | undefined, ...rest: Rest]
  : [parameters: P, ...rest: Rest];

/** The parameters of a launcher, as the type checker knows them. */
export type ParametersOf<L> = L extends { readonly "~parameters": { values(of: infer P): void }["values"] } ? P : never;

/** Something that can be launched, and be a member of a list. `P` says the parameters that a launch needs. */
export abstract class Launcher<P extends object = {}> {
  /** For the type checker, and never there. */
  declare readonly "~parameters": { values(of: P): void }["values"];
  readonly #name: string;
  readonly #member: Member;
  readonly #queue: CommandQueue | undefined;
  #union: ParameterUnion | undefined;
  #version = -1;
  #released = false;
  #statistics: LauncherStatistics | undefined;

  /** @internal */
  protected constructor(name: string, member: Member, { queue, profiler, tracer }: LauncherOptions) {
    this.#name = name;
    this.#member = member;
    setMember(this, member);
    this.#queue = queue;
    for (const watchers of [{ profiler, tracer }, environmentWatchers()]) {
      if (watchers.profiler !== undefined) member.statistics.observe(watchers.profiler, []);
      if (watchers.tracer !== undefined) traceWith(member, watchers.tracer);
    }
  }

  /** Its name, which errors, statistics and traces show. */
  get name(): string {
    return this.#name;
  }

  /** The parameters that a launch needs, by name: their types, and the launchers that use them. */
  get parameters(): ReadonlyMap<string, ParameterInfo> {
    return this.#parameters().all;
  }

  /** The queue for launches that name none. */
  get defaultQueue(): CommandQueue | undefined {
    return this.#queue;
  }

  /** True if a launch need not name a queue. */
  get queueConfigured(): boolean {
    return this.#queue !== undefined;
  }

  /** True if a launch need not say the global size. Members of lists must have theirs. */
  get globalSizeConfigured(): boolean {
    return this.#member.globalSizeConfigured;
  }

  /**
   * What its commands took on queues with profiling, those in lists too, and on no others. A list has those of its members.
   * It can be read after the launcher has been released.
   */
  get statistics(): LauncherStatistics {
    this.#statistics ??= new LauncherStatistics(this.#member.statistics);
    return this.#statistics;
  }

  /** How many of its commands on queues with profiling have not been counted yet, and the times of the last that have. */
  get events(): LauncherEvents {
    return eventsOf(this.#member.statistics);
  }

  /** True once it has been released. */
  get released(): boolean {
    return this.#released;
  }

  /** Launches on a queue, its own if none is named; makes no event and returns nothing. */
  launch(queue?: CommandQueue, ...rest: LaunchArguments<P>): void {
    const target = this.targetOf(queue);
    this.take(rest[0]);
    announce(this.#member, rest[0]);
    this.#member.launch(target);
  }

  /** Like {@link launch}, with an event that completes when all of it has. */
  enqueue(queue?: CommandQueue, ...rest: LaunchArguments<P, [options?: LauncherEnqueueOptions]>): CommandEvent {
    const target = this.targetOf(queue);
    const waits = waitList(checkOptions(rest[1], ["waitFor"]).waitFor);
    this.take(rest[0]);
    announce(this.#member, rest[0]);
    return this.#member.enqueue(target, waits);
  }

  /** @internal The queue of a launch. */
  protected targetOf(queue: CommandQueue | undefined): CommandQueue {
    this.#checkAlive();
    const target = queue ?? this.#queue;
    if (target instanceof CommandQueue) return target;
    if (target === undefined) throw wrongState(`${this.#member.words} needs a queue: it has none of its own`);
    throw typeError("queue", "a CommandQueue", target);
  }

  /** @internal Checks and takes the values of a launch. */
  protected take(parameters: P | undefined): void {
    const union = this.#parameters();
    if (parameters === undefined && union.all.size === 0) return;
    const values = (parameters ?? nothing) as ParameterValues;
    if (typeof values !== "object") throw typeError("parameters", "an object with a value for each", values);
    union.check(values, this.#member.words);
    this.#member.take(values);
  }

  #parameters(): ParameterUnion {
    const { version } = this.#member;
    if (this.#union === undefined || version !== this.#version) {
      const union = new ParameterUnion();
      union.add(this.#member.uses, this.#member.words);
      this.#union = union;
      this.#version = version;
    }
    return this.#union;
  }

  #checkAlive(): void {
    if (this.#released) throw new DisposedError(this.toString());
  }

  /**
   * Gives back the kernels and recordings that it made. Commands that are on a queue are not disturbed, members of a list
   * not touched. Calling it again does nothing; what is never released is collected.
   */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#member.release();
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** One line that says what it is. */
  toString(): string {
    return `${this.constructor.name} "${this.#name}"`;
  }
}

const nothing: ParameterValues = Object.freeze({});
