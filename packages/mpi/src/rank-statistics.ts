/** Statistics of launchers on all ranks: how evenly their work is divided, and how long they wait for each other. */
import { checkInstance, checkList, checkOptions, typeError, wrongValue } from "@cl/base";
import { formatShare, formatTime } from "@cl/base/units";
import { Launcher, type LauncherSnapshot, mergeStatistics, Profiler, statisticsRows } from "@cl/launcher";
import {
  type CommandKind,
  type StatisticsColumn,
  type StatisticsRow,
  statisticsTable,
  type StatisticsTableOptions,
} from "@cl/trace";

import { Communicator } from "./communicator.js";

/**
 * Statistics of a launcher on all ranks. `mean`, `min`, `max` and `std` are of the ranks' total times, `total` is their sum, and
 * `count` the number of runs on the rank that has most. `p50` and `p95` are NaN.
 */
export interface RankRow extends StatisticsRow {
  /** The ranks that have the launcher. The others are not part of the statistics. */
  readonly ranks: readonly number[];
  /** The total time on each of them, in nanoseconds. */
  readonly totals: readonly number[];
  /** The maximum divided by the mean, minus 1. NaN if the mean is 0. */
  readonly imbalance: number;
  /** The rank with the maximum. */
  readonly slowest: number;
}

/** Statistics of launchers on all ranks; see {@link rankStatistics}. */
export class RankStatistics {
  /** A row for each launcher, by descending total. */
  readonly rows: readonly RankRow[];
  /** Times of all commands, without waits and host steps. */
  readonly work: RankRow;
  /** Times in which queues wait for other ranks. */
  readonly waiting: RankRow;
  /** The statistics of each rank. Launchers of the same name in the same list are one. */
  readonly snapshots: readonly LauncherSnapshot[];
  /** The statistics of all ranks together. */
  readonly merged: LauncherSnapshot;

  /** @param snapshots - the statistics of each rank */
  constructor(snapshots: readonly LauncherSnapshot[]) {
    const list = checkList(snapshots, "snapshots", "an array of statistics") as LauncherSnapshot[];
    if (list.length === 0) throw wrongValue("snapshots must have the statistics of at least one rank");
    this.merged = mergeStatistics(...list);
    this.snapshots = list.map((snapshot) => mergeStatistics(snapshot));
    const byRank = this.snapshots.map(statisticsRows);
    this.rows = rowsOf(byRank).sort((a, b) => b.total - a.total);
    this.work = sumOf("work", "other", byRank, (kind) => kind !== "wait" && kind !== "host");
    this.waiting = sumOf("waiting", "wait", byRank, (kind) => kind === "wait");
  }

  /**
   * Returns the rows as a text table, sorted by total time, and a line each for all work and all waiting. Names of launchers that
   * only some ranks have are followed by these ranks.
   */
  table(options?: StatisticsTableOptions): string {
    const all = this.snapshots.length;
    const rows = this.rows.map((row) => (row.ranks.length === all ? row : withRanks(row)));
    const lines = [statisticsTable(rows, { columns, ...checkOptions(options, tableOptions) })];
    if (rows.every(({ count }) => count === 0)) {
      lines.push("No commands were recorded. Statistics require new CommandQueue(context, { profiling: true })");
    } else {
      lines.push(...[this.work, this.waiting].filter(({ count }) => count > 0).map(lineOf));
    }
    return lines.join("\n");
  }
}

const columns: readonly StatisticsColumn[] = [
  "name",
  "kind",
  "count",
  "min",
  "mean",
  "max",
  "imbalance",
  "slowest",
  "share",
];
const tableOptions = ["sort", "columns", "width", "limit", "bars", "colors"] as const;

/**
 * Returns the statistics of a launcher or a profiler on all ranks on the root, and `undefined` on the others. Only commands on queues
 * with profiling are recorded. A collective operation.
 *
 * @example
 * ```ts
 * const profiler = new Profiler();
 * const step = new ListLauncher("step", { profiler }).push(diffuse, grid.exchangeLauncher("ghosts", [u]));
 * await runSteps(step, { queue, steps: 500 });
 * const statistics = await rankStatistics(mpi.world, profiler);
 * if (statistics) console.log(statistics.table());
 * ```
 */
export async function rankStatistics(
  communicator: Communicator,
  source: Profiler | Pick<Launcher, "statistics">,
  root = 0,
): Promise<RankStatistics | undefined> {
  checkInstance(communicator, Communicator, "communicator");
  const snapshots = await communicator.gatherJson(snapshotOf(source), root);
  return snapshots && new RankStatistics(snapshots);
}

function snapshotOf(source: Profiler | Pick<Launcher, "statistics">): LauncherSnapshot {
  if (source instanceof Profiler) return source.snapshot();
  if (source instanceof Launcher) return source.statistics.snapshot();
  throw typeError("source", "a Launcher or a Profiler", source);
}

/** Times of a launcher on some ranks. */
interface Times {
  readonly row: Pick<StatisticsRow, "name" | "kind" | "launcher">;
  readonly ranks: number[];
  readonly totals: number[];
  count: number;
}

function rowsOf(byRank: readonly (readonly StatisticsRow[])[]): RankRow[] {
  const all = new Map<string, Times>();
  for (const [rank, rows] of byRank.entries()) {
    for (const row of rows) {
      const key = JSON.stringify([row.kind, row.name, row.launcher]);
      const times = all.get(key) ?? { row, ranks: [], totals: [], count: 0 };
      all.set(key, times);
      times.ranks.push(rank);
      times.totals.push(row.total);
      times.count = Math.max(times.count, row.count);
    }
  }
  return Array.from(all.values(), rankRow);
}

/** Returns the sums of the rows of some kinds, for each rank. */
function sumOf(
  name: string,
  kind: CommandKind,
  byRank: readonly (readonly StatisticsRow[])[],
  isIncluded: (kind: CommandKind) => boolean,
): RankRow {
  const included = byRank.map((rows) => rows.filter((row) => isIncluded(row.kind)));
  const sums = (column: "total" | "count"): number[] =>
    included.map((rows) => rows.reduce((sum, row) => sum + row[column], 0));
  return rankRow({
    row: { name, kind },
    ranks: [...byRank.keys()],
    totals: sums("total"),
    count: Math.max(...sums("count")),
  });
}

function rankRow({ row: { name, kind, launcher }, ranks, totals, count }: Times): RankRow {
  const total = totals.reduce((sum, time) => sum + time, 0);
  const mean = total / totals.length;
  const max = Math.max(...totals);
  return {
    name,
    kind,
    ...(launcher === undefined ? {} : { launcher }),
    count,
    total,
    mean,
    std: Math.sqrt(totals.reduce((sum, time) => sum + (time - mean) ** 2, 0) / totals.length),
    min: Math.min(...totals),
    max,
    p50: Number.NaN,
    p95: Number.NaN,
    imbalance: max / mean - 1,
    slowest: ranks[totals.indexOf(max)] as number,
    ranks,
    totals,
  };
}

/** Adds the ranks to the name. */
function withRanks(row: RankRow): RankRow {
  const { name, launcher, ranks } = row;
  const ending = ` (${ranks.length === 1 ? "rank" : "ranks"} ${ranks.join(", ")})`;
  return { ...row, name: name + ending, ...(launcher === undefined ? {} : { launcher: launcher + ending }) };
}

function lineOf({ name, mean, max, imbalance, slowest }: RankRow): string {
  const longest = `${formatTime(max)} on rank ${slowest}`;
  return `${name}: mean ${formatTime(mean)}, max ${longest}, imbalance ${formatShare(imbalance)}`;
}
