import { checkBoolean, checkObject, checkOptions, rangeError, typeError, wrongValue } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { type Fusion, planFusion } from "../fuse/fusion.js";
import { Launcher, type ParametersOf } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import { memberOf } from "../member-of.js";
import { type ListOrder, prefixError } from "../member.js";
import { CopyLauncher } from "../steps/copy-launcher.js";
import {
  FillLauncher,
  type FillLauncherOptions,
  type ImageFillLauncherOptions,
  type ViewFillLauncherOptions,
} from "../steps/fill-launcher.js";
import {
  type CopyDirection,
  type CopyLauncherEnd,
  type CopyLauncherRange,
  copyRangeNames,
  directionOf,
} from "../steps/copy-ends.js";
import { isNumber } from "../parameters/parameter-type.js";
import { buildMerged, buildMergedSync, planResidency, type Residency } from "../resident/residency.js";
import { ListMember } from "./list-member.js";
import { ParameterTable } from "./parameter-table.js";
import { type LauncherTuning, type ListTuneOptions, tuneLaunchers, tuningValues } from "../tune/tune-launchers.js";
import { tuneResidency } from "../tune/tune-resident.js";

/** Options of a list. */
export interface ListLauncherOptions extends LauncherOptions {
  /**
   * Order of the members on an out-of-order queue. `"sequential"` starts each member after the previous one. `"parallel"` lets
   * members overlap. `"graph"` starts a member after those that write memory it accesses, or read memory it writes.
   *
   * @defaultValue `"sequential"`
   */
  readonly order?: ListOrder;
}

/** A launcher to push; `undefined` and `null` are skipped. */
export type Pushable = Launcher<never> | undefined | null;

type Both<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void ? All : never;

/** Parameters of all pushed launchers. */
export type ParametersOfAll<L extends readonly Pushable[]> = Both<
  ParametersOf<Exclude<L[number], null | undefined>>
> & {};

/** Results of all pushed host steps. */
export type ResultsOfAll<L extends readonly Pushable[]> = Both<ResultsOf<Exclude<L[number], null | undefined>>> & {};

type ResultsOf<L> = L extends { readonly "~results": infer R } ? R : {};

/** Parameters without those that host steps provide. */
type Without<P, R> = {} extends R ? P : Omit<P, keyof R>;

/**
 * Launches its members together on one queue, in the order in which they were pushed, such as the steps of a simulation. The
 * first launch records the members; later launches set the parameters and replay the recording.
 *
 * A list starts when all earlier commands of the queue have ended, also on an out-of-order queue.
 *
 * @example
 * ```ts
 * const step = new ListLauncher("timestep")
 *   .push(new KernelLauncher("advect", advect, { args: [u, v], global: 64 }))
 *   .push(new KernelLauncher("diffuse", diffuse, { args: [v, u], global: 64 }));
 * for (let t = 0; t < steps; t++) step.launch(queue);
 * ```
 */
export class ListLauncher<P extends object = {}, R extends object = {}> extends Launcher<P> {
  readonly #member: ListMember;
  #fusions: readonly Fusion[] = [];
  #residencies: readonly Residency[] = [];

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

  /** Number of members. A nested list counts as one. */
  get length(): number {
    return this.#member.length;
  }

  /** Order of the members on an out-of-order queue. */
  get order(): ListOrder {
    return this.#member.order;
  }

  /** Appends launchers or lists, skipping `undefined` and `null`. Appends none if one is invalid. */
  push<L extends readonly Pushable[]>(
    ...launchers: L
  ): ListLauncher<P & Without<ParametersOfAll<L>, R & ResultsOfAll<L>>, R & ResultsOfAll<L>> {
    memberOf(this);
    const members = launchers.flatMap((launcher: unknown, i) => {
      if (launcher === undefined || launcher === null) return [];
      if (!(launcher instanceof Launcher)) {
        throw typeError(`launchers[${i}]`, "a launcher, null or undefined", launcher);
      }
      const member = memberOf(launcher as Launcher);
      if (member instanceof ListMember && member.contains(this.#member)) {
        throw wrongValue(`${this.#member.displayName} cannot contain itself`);
      }
      if (!member.globalSizeConfigured) {
        throw wrongValue(
          `${this.#member.displayName}: ${member.displayName} requires options.global to be a member of a list`,
        );
      }
      return [member];
    });
    this.#member.push(members);
    return this as unknown as ListLauncher<P & Without<ParametersOfAll<L>, R & ResultsOfAll<L>>, R & ResultsOfAll<L>>;
  }

  /**
   * Fuses consecutive element-wise members into one kernel if their accesses prove that the result is the same. Returns which
   * members are fused, and why others are not. Members pushed later are not fused until the next call.
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

  /** Like {@link fuse}, but blocks the event loop while the kernels are built. */
  fuseSync(): readonly Fusion[] {
    memberOf(this);
    const plan = planFusion(this.#member);
    for (const program of plan.programs) program.buildSync();
    this.#fusions = plan.apply();
    return this.#fusions;
  }

  /** Result of the last {@link fuse}; empty before. */
  get fusions(): readonly Fusion[] {
    return this.#fusions;
  }

  /**
   * Tunes all members with `local: "auto"` in sequence, including those of nested lists, and returns the result of each. With
   * `resident: true`, then merges members as {@link resident} does where that is faster: the results of merged members have the
   * parameter `form`, which is `"resident"` or `"launches"`.
   */
  async tune(queue?: CommandQueue, options?: ListTuneOptions<P>): Promise<readonly LauncherTuning[]> {
    const target = this.targetOf(queue);
    const { resident, ...others } = checkObject<ListTuneOptions<P>>(options);
    checkBoolean(resident, "options.resident", false);
    const names = [...this.parameters.keys(), ...this.#member.resultNames];
    const values = tuningValues(others, names, this.#member.displayName);
    const results = await tuneLaunchers(this.#member.tunables(values), target, others);
    if (resident !== true) return results;
    this.#member.prepare(target);
    const plan = planResidency(this.#member);
    await buildMerged(plan, others.signal);
    const forms = await tuneResidency(plan, values, target, others);
    memberOf(this);
    this.#residencies = plan.apply();
    return [...results, ...forms];
  }

  /**
   * Merges consecutive kernels, copies and fills into one kernel that runs them one after another, whose work-groups wait for each
   * other on the device. This saves most of the time of a launch for each, where kernels are short; {@link tune} measures whether it
   * does. Results are the same, bit for bit. Returns which members are merged, and why others keep their own launches. Call it after
   * {@link fuse}, and again after pushing more.
   *
   * Kernels of one member must not run at the same time on several queues then.
   */
  async resident(options?: { readonly signal?: AbortSignal }): Promise<readonly Residency[]> {
    memberOf(this);
    const { signal } = checkOptions(options, ["signal"]);
    const plan = planResidency(this.#member);
    await buildMerged(plan, signal);
    memberOf(this);
    this.#residencies = plan.apply();
    return this.#residencies;
  }

  /** Like {@link resident}, but blocks the event loop while the kernels are built. */
  residentSync(): readonly Residency[] {
    memberOf(this);
    const plan = planResidency(this.#member);
    buildMergedSync(plan);
    this.#residencies = plan.apply();
    return this.#residencies;
  }

  /** Result of the last {@link resident}; empty before. */
  get residencies(): readonly Residency[] {
    return this.#residencies;
  }

  /** Returns a table of all parameters, which must be numbers. Launching with a table is the fastest way. */
  parameterTable(): ParameterTable {
    const other = [...this.parameters].find(([, { type }]) => !isNumber(type));
    if (other !== undefined) {
      throw wrongValue(
        `${this.#member.displayName} must have only numeric parameters for a table, but "${other[0]}" is ${other[1].type}`,
      );
    }
    return new ParameterTable(this, this.#member, (queue) => this.targetOf(queue));
  }

  /** Appends a copy in any direction. */
  pushCopy(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range?: CopyLauncherRange): this {
    return this.#pushCopy(name, source, target, range, undefined);
  }

  /** Appends a copy of a whole host array to a buffer, starting at `targetOffset`. */
  pushCopyHostToDevice(
    name: string,
    source: CopyLauncherEnd,
    target: CopyLauncherEnd,
    range?: CopyLauncherRange,
  ): this {
    return this.#pushCopy(name, source, target, range, "host to device");
  }

  /** Appends a copy from a buffer that fills a host array. */
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

  /** Appends a copy between host arrays, which runs in queue order. */
  pushCopyHostToHost(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range?: CopyLauncherRange): this {
    return this.#pushCopy(name, source, target, range, "host to host");
  }

  /** Appends a fill of memory, an image or a view, as a {@link FillLauncher} with these options. */
  pushFill(
    name: string,
    target: FillLauncherOptions["target"],
    pattern: FillLauncherOptions["pattern"],
    range?: Pick<FillLauncherOptions, "bytes" | "offset">,
  ): this;
  pushFill(
    name: string,
    target: ImageFillLauncherOptions["target"],
    pattern: ImageFillLauncherOptions["pattern"],
    range?: Pick<ImageFillLauncherOptions, "origin" | "region">,
  ): this;
  pushFill(name: string, target: ViewFillLauncherOptions["target"], pattern: ViewFillLauncherOptions["pattern"]): this;
  pushFill(
    name: string,
    target: unknown,
    pattern: unknown,
    range?: Pick<FillLauncherOptions & ImageFillLauncherOptions, "bytes" | "offset" | "origin" | "region">,
  ): this {
    const given = checkOptions(range, ["bytes", "offset", "origin", "region"], "range");
    this.push(new FillLauncher(name, { ...given, target, pattern } as FillLauncherOptions));
    return this;
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
      throw prefixError(
        this.#member.displayName,
        rangeError(`the copy "${name}"`, `a copy from ${expected}`, direction),
      );
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
