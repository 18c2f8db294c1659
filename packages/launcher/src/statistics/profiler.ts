/** Records statistics of launchers, and a trace of the latest commands. */
import { checkInstance, checkInteger, checkOptions, checkString, typeError, wrongState } from "@cl/base";
import { CommandEvent, CommandStatistics, CommandTrace, hostTime, type TracedCommand } from "@cl/core";

import {
  type CommandKind,
  type StatisticsRow,
  statisticsTable,
  type StatisticsTableOptions,
  type Trace,
  writeReport,
  type WriteReportOptions,
  writeTrace,
  type WriteTraceOptions,
} from "@cl/trace";

import { commandKindOf } from "./command-kind.js";
import type { LauncherSnapshot } from "./launcher-statistics.js";
import { type NameFilter, nameFilter } from "./name-filter.js";
import { hasCommands, noCommands } from "./no-commands.js";
import { buildTrace, type MemoryUsage, type TraceOrigin } from "./profiler-trace.js";
import { type ProfiledCommands, snapshotTree } from "./snapshot-tree.js";
import { statisticsRows } from "./statistics-rows.js";

/** Options of a profiler's trace. */
export interface ProfilerTraceOptions {
  /** Maximum number of commands; the oldest are dropped and counted. @defaultValue 65,536, which use 9 MiB */
  readonly capacity?: number;
  /** Launchers to trace, by name. */
  readonly filter?: NameFilter;
}

/** Options of a profiler. */
export interface ProfilerOptions {
  /** Launchers to record, by name. @defaultValue all launchers created with the profiler */
  readonly filter?: NameFilter;
  /** Whether to record a trace of single commands. `false` reduces the overhead. @defaultValue true */
  readonly trace?: boolean | ProfilerTraceOptions;
}

/**
 * Records statistics of all launchers that are created with `options.profiler`. On a list, it records all members. Launchers of
 * the same name and kind in the same list share their statistics. The profiler's statistics are separate from the launchers'
 * own: draining one does not affect the other.
 *
 * Only commands on queues with profiling are recorded: `new CommandQueue(context, { profiling: true })`.
 *
 * @example
 * ```ts
 * const profiler = new Profiler();
 * const profiled = new CommandQueue(context, { profiling: true });
 * const step = new ListLauncher("timestep", { profiler }).push(new FillLauncher("clear", { target: u, pattern: 0 }));
 * for (let t = 0; t < 10; t++) step.launch(profiled);
 * await profiled.finish();
 * console.log(profiler.rows()[0]?.count); // 10
 * ```
 */
export class Profiler {
  readonly #shouldProfile: (name: string) => boolean;
  readonly #traces: ((name: string) => boolean) | undefined;
  readonly #capacity: number;
  readonly #profiled = new Map<string, ProfiledCommands>();
  #trace: CommandTrace | undefined;
  #memory: MemoryUsage[] = [];

  constructor(options?: ProfilerOptions) {
    const { filter, trace = true } = checkOptions(options, ["filter", "trace"]);
    this.#shouldProfile = nameFilter(filter, "options.filter");
    if (typeof trace !== "boolean" && (typeof trace !== "object" || trace === null)) {
      throw typeError("options.trace", "true, false or an object", trace);
    }
    const { capacity = 65_536, filter: traceFilter } = trace === true || trace === false ? {} : trace;
    this.#capacity = checkInteger(capacity, "options.trace.capacity", 1, 2 ** 24);
    this.#traces = trace === false ? undefined : nameFilter(traceFilter, "options.trace.filter");
  }

  /** Whether launchers of this name are recorded. */
  shouldProfile(name: string): boolean {
    return this.#shouldProfile(checkString(name, "name"));
  }

  /** Whether single commands are traced. */
  get traces(): boolean {
    return this.#traces !== undefined;
  }

  /** @internal */
  watch(commands: CommandStatistics, name: string, kind: CommandKind, lists: readonly string[]): void {
    checkInstance(commands, CommandStatistics, "commands");
    checkString(name, "name");
    if (this.#shouldProfile(name)) commands.addObserver(this.#statisticsOf(name, kind, lists).commands);
  }

  /**
   * Records a command that no launcher enqueued, unless the filter excludes the name. Its queue must have profiling. The event
   * may be released afterwards.
   */
  add(name: string, event: CommandEvent): this {
    checkInstance(event, CommandEvent, "event");
    if (this.shouldProfile(name)) this.#statisticsOf(name, commandKindOf(event), []).commands.add(event);
    return this;
  }

  #statisticsOf(name: string, kind: CommandKind, lists: readonly string[]): ProfiledCommands {
    const key = JSON.stringify([kind, name, ...lists]);
    const existing = this.#profiled.get(key);
    if (existing !== undefined) return existing;
    const profiled = { name, kind, lists, commands: new CommandStatistics({ label: name }) };
    this.#profiled.set(key, profiled);
    if (this.#traces?.(name) === true) this.#createTrace().watch(profiled.commands, key);
    return profiled;
  }

  #createTrace(): CommandTrace {
    this.#trace ??= new CommandTrace({ capacity: this.#capacity });
    return this.#trace;
  }

  /** Adds the current memory usage to the trace. Points of one label form a curve. */
  recordMemory(label: string, bytes: number): this {
    checkString(label, "label");
    checkInteger(bytes, "bytes");
    if (this.#traces === undefined) return this;
    this.#memory.push({ time: hostTime(), label, bytes });
    // In batches, since removing single elements moves all others.
    if (this.#memory.length >= 2 * this.#capacity) this.#memory = this.#memory.slice(this.#capacity);
    return this;
  }

  /** Returns the statistics since the start or the last {@link drain}, as a tree of lists and launchers. */
  snapshot(): LauncherSnapshot {
    return snapshotTree(this.#profiled.values(), (commands) => commands.snapshot());
  }

  /** Like {@link snapshot}, but also resets the statistics. Pending commands count afterwards. Keeps the trace. */
  drain(): LauncherSnapshot {
    return snapshotTree(this.#profiled.values(), (commands) => commands.drain());
  }

  /** Returns a row for each launcher, for tables, CSV and reports. */
  rows(): StatisticsRow[] {
    return statisticsRows(this.snapshot());
  }

  /** Returns the rows as a text table, sorted by total time. If nothing was recorded, the last line is a hint. */
  table(options?: StatisticsTableOptions): string {
    const rows = this.rows();
    const table = statisticsTable(rows, options);
    return hasCommands(rows) ? table : `${table}\n${noCommands}`;
  }

  /**
   * Returns a trace of the latest commands and host functions on one clock. With `drain`, also resets the trace. The device's clock
   * is aligned with the host's by the times at which commands were enqueued, which both record.
   */
  trace(options?: { readonly drain?: boolean }): Trace {
    const { drain = false } = checkOptions(options, ["drain"]);
    if (this.#traces === undefined) {
      throw wrongState("the profiler has no trace, since it was created with { trace: false }");
    }
    const trace = this.#trace;
    const dropped = trace?.dropped ?? 0;
    const commands = trace === undefined ? [] : drain ? trace.drain() : trace.commands();
    const memory = this.#memory.slice(-this.#capacity);
    if (drain) this.#memory = [];
    return this.#traceOf(commands, memory, dropped);
  }

  #traceOf(commands: readonly TracedCommand[], memory: readonly MemoryUsage[], dropped: number): Trace {
    return buildTrace(commands, (key) => originOf(this.#profiled.get(key) as ProfiledCommands), memory, dropped);
  }

  /** Writes the trace to a file: `trace.json` for Perfetto. The name determines the format, as in `writeTrace`. */
  async writeTrace(path: string, options?: WriteTraceOptions): Promise<void> {
    await writeTrace(path, this.trace(), options);
  }

  /**
   * Writes a report to a file: `report.html` for a page with timeline, charts, histograms and table. The name determines the
   * format, as in `writeReport`. The tables contain all statistics, the timeline the commands of the trace.
   */
  async writeReport(path: string, options?: WriteReportOptions): Promise<void> {
    const trace = this.traces ? this.trace() : this.#traceOf([], [], 0);
    await writeReport(path, trace, {
      statistics: this.rows(),
      ...checkOptions(options, ["format", "signal", "title", "statistics"]),
    });
  }
}

function originOf({ kind, name, lists }: ProfiledCommands): TraceOrigin {
  return { kind, name, launcher: lists.length === 0 ? undefined : [...lists, name].join(" > ") };
}

export function checkProfiler(value: unknown): Profiler | undefined {
  return value === undefined ? undefined : checkInstance(value, Profiler, "options.profiler");
}
