/** Implementation of `IterativeLauncher`. */
import { checkBoolean, checkObject, wrongValue } from "@cl/base";
import type { CommandEvent, CommandQueue, Kernel, Program } from "@cl/core";

import { type ListOrder, type Member, prefixError, type Recorder, type Step } from "../member.js";
import type { ParameterUse, ParameterValues } from "../parameters/parameter-union.js";
import { type Accesses, independent } from "../list/access.js";
import type { IterativeLauncherOptions } from "./iterative-launcher.js";
import type { Slot } from "./arguments.js";
import { KernelMember } from "./kernel-member.js";
import { yielderOf } from "./parameter-yielder.js";
import type { MemberStatistics } from "../statistics/member-statistics.js";
import type { LaunchDetails } from "../statistics/tracer.js";
import { type Iterated, Sweep } from "./sweep.js";
import type { Tunable } from "../tune/tunable.js";

/** Launches a kernel for every combination of parameter values. */
export class IterativeMember implements Member {
  readonly displayName: string;
  readonly uses: readonly ParameterUse[];
  readonly version = 0;
  readonly manyCommands = true;
  readonly globalSizeConfigured: boolean;
  readonly kernel: KernelMember;
  readonly #iterated: readonly Iterated[];
  readonly #barrier: boolean;
  #values: ParameterValues = {};
  /** Undefined while a launch is running. */
  #sweep: Sweep | undefined;

  constructor(name: string, source: Kernel | Program, options: IterativeLauncherOptions) {
    this.displayName = `launcher "${name}"`;
    const { iterate, barrier, ...rest } = options;
    const yielders: (readonly [name: string, yielder: Iterated["yielder"]])[] = [];
    try {
      this.#barrier = checkBoolean(barrier, "options.barrier", true);
      for (const [key, source] of Object.entries(checkObject(iterate, "options.iterate"))) {
        yielders.push([key, yielderOf(source, `options.iterate.${key}`)]);
      }
      if (yielders.length === 0) throw wrongValue("options.iterate must name at least one parameter");
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
    const iteratedNames = new Set(yielders.map(([key]) => key));
    this.kernel = new KernelMember(name, source, rest, [...iteratedNames]);
    this.globalSizeConfigured = this.kernel.globalSizeConfigured;
    this.#iterated = yielders.map(([key, yielder]) => {
      const slot = this.kernel.slots.find((slot) => slot.name === key) as Slot;
      return { ...slot, yielder };
    });
    if (!this.globalSizeConfigured) {
      this.kernel.release();
      throw wrongValue(`${this.displayName} requires options.global`);
    }
    this.uses = this.kernel.uses.filter((use) => !iteratedNames.has(use.name));
  }

  /** Iterates over the combinations, last parameter fastest. Yields the same object each time. */
  *combinations(values: ParameterValues): Generator<ParameterValues> {
    const combination: Record<string, unknown> = { ...values };
    yield* this.#iterate(0, combination, values);
  }

  *#iterate(depth: number, combination: Record<string, unknown>, values: ParameterValues): Generator<ParameterValues> {
    const entry = this.#iterated[depth];
    if (entry === undefined) {
      yield combination;
      return;
    }
    const { name, yielder } = entry;
    const iterator = yielder.newGenerator(values);
    const last = depth === this.#iterated.length - 1;
    let ended = false;
    try {
      for (let result = iterator.next(); result.done !== true; result = iterator.next()) {
        combination[name] = result.value;
        if (last) yield combination;
        else yield* this.#iterate(depth + 1, combination, values);
      }
      ended = true;
    } finally {
      // A failed launch leaves the iterator unfinished.
      if (!ended) iterator.return?.();
    }
  }

  /** Tunes with the first combination: the choice makes little difference. */
  tunables(values: ParameterValues): readonly Tunable[] {
    const [first] = this.kernel.auto === undefined ? [] : this.combinations(values);
    return this.kernel.tunables(first === undefined ? values : { ...first });
  }

  setParameters(values: ParameterValues): void {
    // Copied, since a list passes the same object to all its members.
    this.#values = Object.fromEntries(this.uses.map(({ name }) => [name, values[name]]));
  }

  launch(queue: CommandQueue): void {
    this.#launch(queue, false);
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    return this.#enqueue(queue, waitFor, false);
  }

  #launch(queue: CommandQueue, inOrder: boolean): void {
    this.#launchAll(queue, inOrder);
    if (queue.outOfOrder && this.#barrier) queue.enqueueBarrier().release();
  }

  #enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[], inOrder: boolean): CommandEvent {
    // A barrier delays all combinations, also on an out-of-order queue.
    if (waitFor.length > 0) queue.enqueueBarrier(waitFor).release();
    this.#launchAll(queue, inOrder);
    return queue.outOfOrder && this.#barrier ? queue.enqueueBarrier() : queue.enqueueMarker();
  }

  #launchAll(queue: CommandQueue, inOrder: boolean): void {
    // Iterators may launch this launcher recursively, so the sweep is replaced during a launch.
    const sweep = this.#sweep ?? new Sweep(this.kernel, this.#iterated);
    this.#sweep = undefined;
    try {
      sweep.launch(queue, this.#values, inOrder);
    } finally {
      this.#sweep = sweep;
    }
  }

  record(recorder: Recorder): void {
    recorder.step(this.#mayOverlap(recorder.order) ? this : this.#inOrder, false);
  }

  /** Whether the list's order allows combinations to overlap on an out-of-order queue. */
  #mayOverlap(order: ListOrder): boolean {
    if (order !== "graph") return order === "parallel";
    const accesses = this.accesses();
    return independent(accesses, accesses);
  }

  /** Launches all combinations in sequence. */
  readonly #inOrder: Step = {
    manyCommands: true,
    launch: (queue) => this.#launch(queue, true),
    enqueue: (queue, waitFor) => this.#enqueue(queue, waitFor, true),
  };

  accesses(): Accesses {
    return this.kernel.accesses();
  }

  describe(values: ParameterValues): LaunchDetails {
    return this.kernel.describe({
      ...values,
      ...Object.fromEntries(this.#iterated.map(({ name }) => [name, "each"])),
    });
  }

  get statistics(): MemberStatistics {
    return this.kernel.statistics;
  }

  release(): void {
    this.kernel.release();
  }
}
