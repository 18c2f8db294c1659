/** What a launcher tells of its commands: statistics in bounded memory, however many there were. */
import type { CommandStatistics, CommandTimes, TimeStatistics } from "@cl/core";

import type { CommandKind } from "../report/trace.js";

/**
 * Statistics of a launcher, a plain object that can be posted to other threads and written as JSON. Those of a list are of
 * all its members together; each member's own are in `members`.
 */
export interface LauncherSnapshot extends TimeStatistics {
  /** The launcher's name; empty for several that have nothing in common. */
  readonly name: string;
  /** What its commands do. */
  readonly kind: CommandKind | "list";
  /** Of a list: each member's, once, however often it was pushed. */
  readonly members?: readonly LauncherSnapshot[];
}

/** The times of one command of a launcher, in nanoseconds of the device's clock. */
export interface LauncherEvent extends CommandTimes {
  /** The launcher's name. */
  readonly name: string;
}

/** What of a launcher's commands is not, or was not long ago, counted in its statistics. */
export interface LauncherEvents {
  /** Commands that were enqueued and have not ended, or failed to. */
  readonly pending: number;
  /** The last commands that were counted since statistics were drained, 32 of each launcher at most, the latest last. */
  readonly recent: readonly LauncherEvent[];
}

/** Where a launcher's statistics come from. */
export interface StatisticsSource {
  /** With `drain`, they begin anew. Members are read once, whatever lists they are in. */
  read(drain: boolean, known: Map<StatisticsSource, LauncherSnapshot>): LauncherSnapshot;
  /** The sources that have commands, each once. */
  leaves(into: Set<LeafSource>): void;
  /** Lets a profiler count, too, from now on. `lists` are those that it came through, the outermost first. */
  observe(profiler: Observing, lists: readonly string[]): void;
}

/** A source that has commands. */
export interface LeafSource extends StatisticsSource {
  readonly name: string;
  readonly pending: number;
  readonly recent: readonly CommandTimes[];
}

/** Whoever counts what launchers do. */
export interface Observing {
  /** Counts what a launcher does from now on. */
  watch(commands: CommandStatistics, name: string, kind: CommandKind, lists: readonly string[]): void;
}

/**
 * A launcher's statistics. Commands are timed on queues with profiling, by the device's clock; steps on the host by the
 * host's. Nothing waits, and to look changes nothing.
 */
export class LauncherStatistics {
  readonly #source: StatisticsSource;

  /** @internal */
  constructor(source: StatisticsSource) {
    this.#source = source;
  }

  /** All that has been counted since the beginning, or since {@link drain}. */
  snapshot(): LauncherSnapshot {
    return this.#source.read(false, new Map());
  }

  /**
   * Like {@link snapshot}, and begins anew; a list's begins anew for all its members. What is still on a queue is counted
   * from then on. Profilers count for themselves.
   */
  drain(): LauncherSnapshot {
    return this.#source.read(true, new Map());
  }
}

/** What is pending and what was counted last. */
export function eventsOf(source: StatisticsSource): LauncherEvents {
  const leaves = new Set<LeafSource>();
  source.leaves(leaves);
  let pending = 0;
  const recent: LauncherEvent[] = [];
  for (const leaf of leaves) {
    pending += leaf.pending;
    for (const times of leaf.recent) recent.push({ name: leaf.name, ...times });
  }
  if (leaves.size > 1) recent.sort((a, b) => (a.end < b.end ? -1 : Number(a.end > b.end)));
  return { pending, recent };
}
