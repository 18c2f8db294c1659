/** One kernel, launched for every combination of some parameters' values. */
import { checkBoolean, checkObject, wrongValue } from "@cl/base";
import type { CommandEvent, CommandQueue, Kernel, Program } from "@cl/core";

import { type ListOrder, type Member, named, type Recorder, type Step } from "../member.js";
import type { ParameterUse, ParameterValues } from "../parameters/parameter-union.js";
import { type Accesses, independent } from "../list/access.js";
import type { IterativeLauncherOptions } from "./iterative-launcher.js";
import type { Slot } from "./arguments.js";
import { KernelMember } from "./kernel-member.js";
import { yielderOf } from "./parameter-yielder.js";
import type { MemberStatistics } from "../statistics/member-statistics.js";
import type { LaunchWords } from "../statistics/tracer.js";
import { type Iterated, Sweep } from "./sweep.js";
import type { Tunable } from "../tune/tunable.js";

/** The working half of an iterative launcher. */
export class IterativeMember implements Member {
  readonly words: string;
  readonly uses: readonly ParameterUse[];
  readonly version = 0;
  readonly manyCommands = true;
  readonly globalSizeConfigured: boolean;
  readonly kernel: KernelMember;
  readonly #iterated: readonly Iterated[];
  readonly #barrier: boolean;
  #values: ParameterValues = {};
  /** While it is not at work. */
  #sweep: Sweep | undefined;

  constructor(name: string, source: Kernel | Program, options: IterativeLauncherOptions) {
    this.words = `launcher "${name}"`;
    const { iterate, barrier, ...rest } = options;
    const yielders: (readonly [name: string, yielder: Iterated["yielder"]])[] = [];
    try {
      this.#barrier = checkBoolean(barrier, "options.barrier", true);
      for (const [key, from] of Object.entries(checkObject(iterate, "options.iterate"))) {
        yielders.push([key, yielderOf(from, `options.iterate.${key}`)]);
      }
      if (yielders.length === 0) throw wrongValue("options.iterate must name at least one parameter");
    } catch (error) {
      throw named(this.words, error);
    }
    const iterated = new Set(yielders.map(([key]) => key));
    this.kernel = new KernelMember(name, source, rest, [...iterated]);
    this.globalSizeConfigured = this.kernel.globalSizeConfigured;
    this.#iterated = yielders.map(([key, yielder]) => {
      const slot = this.kernel.slots.find((one) => one.name === key) as Slot;
      return { ...slot, yielder };
    });
    if (!this.globalSizeConfigured) {
      this.kernel.release();
      throw wrongValue(`${this.words} needs options.global`);
    }
    this.uses = this.kernel.uses.filter((use) => !iterated.has(use.name));
  }

  /** Each combination, the last parameter changing fastest. The object is the same one each time. */
  *combinations(values: ParameterValues): Generator<ParameterValues> {
    const all: Record<string, unknown> = { ...values };
    yield* this.#from(0, all, values);
  }

  *#from(depth: number, all: Record<string, unknown>, given: ParameterValues): Generator<ParameterValues> {
    const entry = this.#iterated[depth];
    if (entry === undefined) {
      yield all;
      return;
    }
    const { name, yielder } = entry;
    const iterator = yielder.newGenerator(given);
    const last = depth === this.#iterated.length - 1;
    let ended = false;
    try {
      for (let one = iterator.next(); one.done !== true; one = iterator.next()) {
        all[name] = one.value;
        if (last) yield all;
        else yield* this.#from(depth + 1, all, given);
      }
      ended = true;
    } finally {
      // A launch that fails leaves it half way.
      if (!ended) iterator.return?.();
    }
  }

  /** With the first combination: which one the kernel is tuned with makes little difference, and one it has to be. */
  tunables(values: ParameterValues): readonly Tunable[] {
    const [first] = this.kernel.auto === undefined ? [] : this.combinations(values);
    return this.kernel.tunables(first === undefined ? values : { ...first });
  }

  take(values: ParameterValues): void {
    // A list hands all its members the same object.
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
    // A barrier holds all combinations, on an out-of-order queue too.
    if (waitFor.length > 0) queue.enqueueBarrier(waitFor).release();
    this.#launchAll(queue, inOrder);
    return queue.outOfOrder && this.#barrier ? queue.enqueueBarrier() : queue.enqueueMarker();
  }

  #launchAll(queue: CommandQueue, inOrder: boolean): void {
    // What gives the values may launch this one, too.
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

  /** True if the list's order lets the combinations overlap on an out-of-order queue. */
  #mayOverlap(order: ListOrder): boolean {
    if (order !== "graph") return order === "parallel";
    const accesses = this.accesses();
    return independent(accesses, accesses);
  }

  /** The launch of all combinations one after the other. */
  readonly #inOrder: Step = {
    manyCommands: true,
    launch: (queue) => this.#launch(queue, true),
    enqueue: (queue, waitFor) => this.#enqueue(queue, waitFor, true),
  };

  accesses(): Accesses {
    return this.kernel.accesses();
  }

  describe(values: ParameterValues): LaunchWords {
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
