/** The statistics behind launchers: of one that has commands, and of lists. */
import { CommandStatistics, type CommandTimes, mergeTimeStatistics, type TimeStatistics } from "@cl/core";

import type { CommandKind } from "../report/trace.js";
import type { LauncherSnapshot, LeafSource, Observing, StatisticsSource } from "./launcher-statistics.js";

/** Of a launcher that has commands of its own. */
export class MemberStatistics implements LeafSource {
  readonly name: string;
  readonly kind: CommandKind;
  /** What one command moves. */
  readonly bytes: number;
  #commands: CommandStatistics | undefined;
  readonly #observers = new Set<Observing>();

  constructor(name: string, kind: CommandKind, bytes = 0) {
    this.name = name;
    this.kind = kind;
    this.bytes = bytes;
  }

  /**
   * What its commands are counted in, made when it is asked for: a launcher can be made where there is no OpenCL. Not released
   * with the launcher, whose commands may still be on a queue.
   */
  get commands(): CommandStatistics {
    this.#commands ??= new CommandStatistics({ label: this.name, bytes: this.bytes });
    return this.#commands;
  }

  get pending(): number {
    return this.#commands?.pending ?? 0;
  }

  get recent(): readonly CommandTimes[] {
    return this.#commands?.recent ?? [];
  }

  read(drain: boolean, known: Map<StatisticsSource, LauncherSnapshot>): LauncherSnapshot {
    let own = known.get(this);
    if (own === undefined) {
      const statistics = drain ? this.#commands?.drain() : this.#commands?.snapshot();
      own = snapshotOf(this.name, this.kind, statistics ?? mergeTimeStatistics());
      known.set(this, own);
    }
    return own;
  }

  leaves(into: Set<LeafSource>): void {
    into.add(this);
  }

  observe(profiler: Observing, lists: readonly string[]): void {
    // In several lists of one profiler, it is still one launcher.
    if (this.#observers.has(profiler)) return;
    this.#observers.add(profiler);
    profiler.watch(this.commands, this.name, this.kind, lists);
  }
}

/** Field by field, which is several times as fast as copying all of them. */
function snapshotOf(name: string, kind: CommandKind, statistics: TimeStatistics): LauncherSnapshot {
  return {
    name,
    kind,
    count: statistics.count,
    failed: statistics.failed,
    untimed: statistics.untimed,
    total: statistics.total,
    mean: statistics.mean,
    std: statistics.std,
    min: statistics.min,
    max: statistics.max,
    p50: statistics.p50,
    p95: statistics.p95,
    queueDelay: statistics.queueDelay,
    submitDelay: statistics.submitDelay,
    bytes: statistics.bytes,
    gbPerSecond: statistics.gbPerSecond,
    sketch: statistics.sketch,
  };
}

/** Of a list: its members', and their sum. */
export class ListStatistics implements StatisticsSource {
  readonly name: string;
  readonly kind = "list";
  readonly #members = new Set<StatisticsSource>();
  readonly #observers = new Map<Observing, readonly string[]>();

  constructor(name: string) {
    this.name = name;
  }

  /** The list has got more members. */
  add(members: readonly { readonly statistics: StatisticsSource }[]): void {
    for (const { statistics } of members) {
      this.#members.add(statistics);
      for (const [profiler, lists] of this.#observers) statistics.observe(profiler, lists);
    }
  }

  read(drain: boolean, known: Map<StatisticsSource, LauncherSnapshot>): LauncherSnapshot {
    const members = Array.from(this.#members, (member) => member.read(drain, known));
    const leaves = new Set<LeafSource>();
    this.leaves(leaves);
    const all = mergeTimeStatistics(...Array.from(leaves, (leaf) => leaf.read(drain, known)));
    return { name: this.name, kind: "list", ...all, members };
  }

  leaves(into: Set<LeafSource>): void {
    for (const member of this.#members) member.leaves(into);
  }

  observe(profiler: Observing, lists: readonly string[]): void {
    if (this.#observers.has(profiler)) return;
    const own = [...lists, this.name];
    this.#observers.set(profiler, own);
    for (const member of this.#members) member.observe(profiler, own);
  }
}
