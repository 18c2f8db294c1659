/** Statistics of a launcher's commands, in bounded memory. */
import type { CommandStatistics, CommandTimes, TimeStatistics } from "@cl/core";

import type { CommandKind } from "@cl/trace";

/**
 * Statistics of a launcher as a plain object, which can be posted to other threads and written as JSON. For a list, the
 * statistics of all members together, with each member's in `members`.
 */
export interface LauncherSnapshot extends TimeStatistics {
  /** Name of the launcher; empty for a group of different launchers. */
  readonly name: string;
  /** Kind of its commands. */
  readonly kind: CommandKind | "list";
  /** Statistics of each member of a list, without duplicates. */
  readonly members?: readonly LauncherSnapshot[];
}

/** Times of one command of a launcher, in nanoseconds of the device's clock. */
export interface LauncherEvent extends CommandTimes {
  /** Name of the launcher. */
  readonly name: string;
}

/** Pending and recent commands of a launcher. */
export interface LauncherEvents {
  /** Number of enqueued commands that have not ended or failed. */
  readonly pending: number;
  /** Last recorded commands since statistics were drained: up to 32 per launcher, latest last. */
  readonly recent: readonly LauncherEvent[];
}

/** Source of a launcher's statistics. */
export interface StatisticsSource {
  /** Reads the statistics; with `drain`, also resets them. Each member is read once. */
  read(drain: boolean, known: Map<StatisticsSource, LauncherSnapshot>): LauncherSnapshot;
  /** Collects the sources with commands. */
  leaves(into: Set<LeafSource>): void;
  /** Adds a profiler. `lists` are the enclosing lists, outermost first. */
  observe(profiler: CommandObserver, lists: readonly string[]): void;
}

/** A source with commands. */
export interface LeafSource extends StatisticsSource {
  readonly name: string;
  readonly pending: number;
  readonly recent: readonly CommandTimes[];
}

/** A profiler that observes launchers. */
export interface CommandObserver {
  /** Records the commands of a launcher from now on. */
  watch(commands: CommandStatistics, name: string, kind: CommandKind, lists: readonly string[]): void;
}

/**
 * Statistics of a launcher. Commands are recorded on queues with profiling with the device's clock, host steps with the host's.
 * Reading does not wait and has no side effects.
 */
export class LauncherStatistics {
  readonly #source: StatisticsSource;

  /** @internal */
  constructor(source: StatisticsSource) {
    this.#source = source;
  }

  /** Returns the statistics since the start or the last {@link drain}. */
  snapshot(): LauncherSnapshot {
    return this.#source.read(false, new Map());
  }

  /**
   * Like {@link snapshot}, but also resets the statistics, including those of all members of a list. Pending commands count
   * afterwards. Profilers have separate statistics.
   */
  drain(): LauncherSnapshot {
    return this.#source.read(true, new Map());
  }
}

/** Returns the pending and recent commands. */
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
