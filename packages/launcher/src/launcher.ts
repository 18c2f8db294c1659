/** Base class of all launchers: a name, parameters, launching and enqueuing. */
import { inspect } from "node:util";

import { checkOptions, typeError, wrongState } from "@cl/base";
import { type CommandEvent, CommandQueue, DisposedError, type WaitFor } from "@cl/core";

import type { LauncherOptions } from "./launcher-options.js";
import { releaseMember } from "./list/holds.js";
import type { Member } from "./member.js";
import { setMember } from "./member-of.js";
import { type ParameterInfo, ParameterUnion, type ParameterValues } from "./parameters/parameter-union.js";
import { announce, traceWith } from "./statistics/announce.js";
import { environmentWatchers } from "./statistics/environment.js";
import { eventsOf, type LauncherEvents, LauncherStatistics } from "./statistics/launcher-statistics.js";
import { waitList } from "./wait-list.js";

/** Options of `enqueue`. */
export interface LauncherEnqueueOptions {
  /** Events to wait for before anything starts. */
  readonly waitFor?: WaitFor;
}

/** Arguments of a launch: the parameter values, optional if there are no parameters, and the rest. */
export type LaunchArguments<P extends object, Rest extends readonly unknown[] = []> = {} extends P
  ? [parameters?: P | undefined, ...rest: Rest]
  : [parameters: P, ...rest: Rest];

/** Type of a launcher's parameter values. */
export type ParametersOf<L> = L extends { readonly "~parameters": { values(of: infer P): void }["values"] } ? P : never;

/** Base class of everything that can be launched and added to a list. `P` is the type of the parameter values. */
export abstract class Launcher<P extends object = {}> {
  /** For type inference only; does not exist at run time. */
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

  /** Name shown in errors, statistics and traces. */
  get name(): string {
    return this.#name;
  }

  /** Parameters of a launch by name: their types, and the launchers that use them. */
  get parameters(): ReadonlyMap<string, ParameterInfo> {
    return this.#parameters().all;
  }

  /** Queue of launches that do not pass one. */
  get defaultQueue(): CommandQueue | undefined {
    return this.#queue;
  }

  /** Whether a launch can omit the queue. */
  get queueConfigured(): boolean {
    return this.#queue !== undefined;
  }

  /** Whether a launch can omit the global size. Required for members of lists. */
  get globalSizeConfigured(): boolean {
    return this.#member.globalSizeConfigured;
  }

  /**
   * Statistics of its commands on queues with profiling, including those in lists. A list's statistics contain its members'.
   * Available after the launcher is released.
   */
  get statistics(): LauncherStatistics {
    this.#statistics ??= new LauncherStatistics(this.#member.statistics);
    return this.#statistics;
  }

  /** Number of profiled commands that are not recorded yet, and the times of the last recorded one. */
  get events(): LauncherEvents {
    return eventsOf(this.#member.statistics);
  }

  /** Whether the launcher was released. */
  get released(): boolean {
    return this.#released;
  }

  /** Launches on a queue, by default {@link defaultQueue}. Creates no event. */
  launch(queue?: CommandQueue, ...rest: LaunchArguments<P>): void {
    const target = this.targetOf(queue);
    this.setParameters(rest[0]);
    announce(this.#member, rest[0]);
    this.#member.launch(target);
  }

  /** Like {@link launch}, but returns an event that completes with the last command. */
  enqueue(queue?: CommandQueue, ...rest: LaunchArguments<P, [options?: LauncherEnqueueOptions]>): CommandEvent {
    const target = this.targetOf(queue);
    const waits = waitList(checkOptions(rest[1], ["waitFor"]).waitFor);
    this.setParameters(rest[0]);
    announce(this.#member, rest[0]);
    return this.#member.enqueue(target, waits);
  }

  /** @internal Returns the queue of a launch. */
  protected targetOf(queue: CommandQueue | undefined): CommandQueue {
    this.#checkAlive();
    const target = queue ?? this.#queue;
    if (target instanceof CommandQueue) return target;
    if (target === undefined) {
      throw wrongState(`${this.#member.displayName} requires a queue; pass one, or set options.queue`);
    }
    throw typeError("queue", "a CommandQueue", target);
  }

  /** @internal Checks and sets the parameter values of a launch. */
  protected setParameters(parameters: P | undefined): void {
    const union = this.#parameters();
    if (parameters === undefined && union.all.size === 0) return;
    const values = (parameters ?? nothing) as ParameterValues;
    if (typeof values !== "object") throw typeError("parameters", "an object with a value for each parameter", values);
    union.check(values, this.#member.displayName);
    this.#member.setParameters(values);
  }

  #parameters(): ParameterUnion {
    const { version } = this.#member;
    if (this.#union === undefined || version !== this.#version) {
      const union = new ParameterUnion();
      union.add(this.#member.uses, this.#member.displayName);
      this.#union = union;
      this.#version = version;
    }
    return this.#union;
  }

  #checkAlive(): void {
    if (this.#released) throw new DisposedError(this.toString());
  }

  /**
   * Releases the kernels and recordings that the launcher created. Commands already enqueued and members of a list are not
   * affected. Further calls do nothing. Launchers that are never released are garbage-collected.
   */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    releaseMember(this.#member);
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** Returns the class and the name. */
  toString(): string {
    return `${this.constructor.name} "${this.#name}"`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
}

const nothing: ParameterValues = Object.freeze({});
