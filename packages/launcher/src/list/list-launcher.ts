import { checkOptions, rangeError, typeError, wrongValue } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { type Fusion, planFusion } from "../fuse/fusion.js";
import { Launcher, type ParametersOf } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import { memberOf } from "../member-of.js";
import { type ListOrder, named } from "../member.js";
import { CopyLauncher } from "../steps/copy-launcher.js";
import {
  type CopyDirection,
  type CopyLauncherEnd,
  type CopyLauncherRange,
  copyRangeNames,
  directionOf,
} from "../steps/copy-ends.js";
import { isNumber } from "../parameters/parameter-type.js";
import { ListMember } from "./list-member.js";
import { ParameterTable } from "./parameter-table.js";
import { givenValues, type LauncherTuneOptions, type LauncherTuning, tuneLaunchers } from "../tune/tune-launchers.js";

/** How to make a list. */
export interface ListLauncherOptions extends LauncherOptions {
  /**
   * How the members stand to each other on an out-of-order queue: `"sequential"`, if not said, lets each begin when the one
   * before it has ended; `"parallel"` lets them overlap; `"graph"` lets each begin when those have ended that write what it
   * reads or writes, or read what it writes.
   */
  readonly order?: ListOrder;
}

/** Something that may be pushed; undefined and null are skipped. */
export type Pushable = Launcher<never> | undefined | null;

type Both<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void ? All : never;

/** The parameters of all that is pushed. */
export type ParametersOfAll<L extends readonly Pushable[]> = Both<
  ParametersOf<Exclude<L[number], null | undefined>>
> & {};

/**
 * Launchers that are launched together, in the order in which they were pushed, on one queue: a timestep. What is pushed is
 * recorded at the first launch; launching it again sets the parameters and replays that.
 *
 * A list begins when what is before it on the queue has ended, on an out-of-order queue too.
 *
 * @example
 * ```ts
 * const step = new ListLauncher("timestep")
 *   .push(new KernelLauncher("advect", advect, { args: [u, v], global: 64 }))
 *   .push(new KernelLauncher("diffuse", diffuse, { args: [v, u], global: 64 }));
 * for (let t = 0; t < steps; t++) step.launch(queue);
 * ```
 */
export class ListLauncher<P extends object = {}> extends Launcher<P> {
  readonly #member: ListMember;
  #fusions: readonly Fusion[] = [];

  constructor(name: string, options?: ListLauncherOptions) {
    const { order = "sequential", ...others } = checkOptions(options, ["order", "queue", "profiler", "tracer"]);
    if (!["sequential", "parallel", "graph"].includes(order)) {
      throw typeError("options.order", '"sequential", "parallel" or "graph"', order);
    }
    const shared = checkShared(others);
    const member = new ListMember(checkName(name), order);
    super(name, member, shared);
    this.#member = member;
  }

  /** How many members it has; a list inside counts as one. */
  get length(): number {
    return this.#member.length;
  }

  /** How its members stand to each other on an out-of-order queue. */
  get order(): ListOrder {
    return this.#member.order;
  }

  /** Appends launchers, lists among them; undefined and null are skipped. All of them, or none if one cannot be. */
  push<L extends readonly Pushable[]>(...launchers: L): ListLauncher<P & ParametersOfAll<L>> {
    memberOf(this);
    const members = launchers.flatMap((launcher: unknown, i) => {
      if (launcher === undefined || launcher === null) return [];
      if (!(launcher instanceof Launcher)) throw typeError(`launchers[${i}]`, "a launcher, or nothing", launcher);
      const member = memberOf(launcher as Launcher);
      if (member instanceof ListMember && member.contains(this.#member)) {
        throw wrongValue(`${this.#member.words} cannot be a member of itself`);
      }
      if (!member.globalSizeConfigured) {
        throw wrongValue(`${this.#member.words}: ${member.words} has no global size, which members of lists need`);
      }
      return [member];
    });
    this.#member.push(members);
    return this as unknown as ListLauncher<P & ParametersOfAll<L>>;
  }

  /**
   * Lets consecutive element-wise members run as one kernel each, as far as what they read and write proves that this makes
   * no difference, and tells which do and why others do not. What is pushed later runs by itself until the next call.
   */
  async fuse(options?: { readonly signal?: AbortSignal }): Promise<readonly Fusion[]> {
    memberOf(this);
    const { signal } = checkOptions(options, ["signal"]);
    const plan = planFusion(this.#member);
    await Promise.all(plan.programs.map((program) => program.build(signal === undefined ? {} : { signal })));
    memberOf(this);
    this.#fusions = plan.apply();
    return this.#fusions;
  }

  /** Like {@link fuse}, and blocks the event loop while the kernels are built. */
  fuseSync(): readonly Fusion[] {
    memberOf(this);
    const plan = planFusion(this.#member);
    for (const program of plan.programs) program.buildSync();
    this.#fusions = plan.apply();
    return this.#fusions;
  }

  /** What {@link fuse} has made of the members; nothing before that. */
  get fusions(): readonly Fusion[] {
    return this.#fusions;
  }

  /**
   * Tunes all members that were made with `local: "auto"`, one after the other, and tells what was found for each; those of
   * lists inside, too.
   */
  async tune(queue?: CommandQueue, options?: LauncherTuneOptions<P>): Promise<readonly LauncherTuning[]> {
    const target = this.targetOf(queue);
    const values = givenValues(options, this.parameters.keys(), this.#member.words);
    return tuneLaunchers(this.#member.tunables(values), target, options);
  }

  /** A table of all its parameters, all of which must be numbers: a launch with it costs the least. */
  parameterTable(): ParameterTable {
    const other = [...this.parameters].find(([, { type }]) => !isNumber(type));
    if (other !== undefined) {
      throw wrongValue(
        `${this.#member.words} can have no table: its parameter "${other[0]}" is ${other[1].type}, no number`,
      );
    }
    return new ParameterTable(this, this.#member, (queue) => this.targetOf(queue));
  }

  /** Appends a copy in any direction. */
  pushCopy(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range?: CopyLauncherRange): this {
    return this.#pushCopy(name, source, target, range, undefined);
  }

  /** Appends a copy of all of a host array to a buffer, or to what follows `targetOffset` there. */
  pushCopyHostToDevice(
    name: string,
    source: CopyLauncherEnd,
    target: CopyLauncherEnd,
    range?: CopyLauncherRange,
  ): this {
    return this.#pushCopy(name, source, target, range, "host to device");
  }

  /** Appends a copy of a buffer to a host array, which it fills. */
  pushCopyDeviceToHost(
    name: string,
    source: CopyLauncherEnd,
    target: CopyLauncherEnd,
    range?: CopyLauncherRange,
  ): this {
    return this.#pushCopy(name, source, target, range, "device to host");
  }

  /** Appends a copy between buffers. */
  pushCopyDeviceToDevice(
    name: string,
    source: CopyLauncherEnd,
    target: CopyLauncherEnd,
    range?: CopyLauncherRange,
  ): this {
    return this.#pushCopy(name, source, target, range, "device to device");
  }

  /** Appends a copy between host arrays, made when its turn comes. */
  pushCopyHostToHost(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range?: CopyLauncherRange): this {
    return this.#pushCopy(name, source, target, range, "host to host");
  }

  #pushCopy(
    name: string,
    source: CopyLauncherEnd,
    target: CopyLauncherEnd,
    range: CopyLauncherRange | undefined,
    expected: CopyDirection | undefined,
  ): this {
    const direction = directionOf(source, target);
    if (expected !== undefined && direction !== expected) {
      throw named(this.#member.words, rangeError(`the copy "${name}"`, `one from ${expected}`, direction));
    }
    this.push(
      new CopyLauncher(name, {
        ...checkOptions(range, copyRangeNames, "range"),
        source,
        target,
      }),
    );
    return this;
  }
}
