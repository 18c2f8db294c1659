/** Counts what launchers do, in one place, and remembers the latest commands one by one. */
import { checkInstance, checkInteger, checkOptions, checkString, typeError, wrongState } from "@cl/base";
import { type CommandEvent, CommandStatistics, CommandTrace, hostTime, type TracedCommand } from "@cl/core";

import { statisticsTable, type StatisticsTableOptions } from "../report/table-text.js";
import type { CommandKind, Trace } from "../report/trace.js";
import { writeReport, type WriteReportOptions } from "../report/write-report.js";
import type { StatisticsRow } from "../report/statistics-row.js";
import { writeTrace, type WriteTraceOptions } from "../report/write-trace.js";
import { commandKindOf } from "./command-kind.js";
import type { LauncherSnapshot } from "./launcher-statistics.js";
import { type NameFilter, nameFilter } from "./name-filter.js";
import { buildTrace, type MemoryNote, type TraceOrigin } from "./profiler-trace.js";
import { type Counted, snapshotTree } from "./snapshot-tree.js";
import { statisticsRows } from "./statistics-rows.js";

/** What a profiler remembers of single commands. */
export interface ProfilerTraceOptions {
  /** How many commands at most; the oldest are dropped, and counted. 65,536 if not said, which take 9 MiB. */
  readonly capacity?: number;
  /** Of which launchers, by their names. */
  readonly filter?: NameFilter;
}

/** How to make a profiler. */
export interface ProfilerOptions {
  /** Which launchers it counts, by their names; all that are given to it if not said. */
  readonly filter?: NameFilter;
  /** False remembers no single commands, and costs less. */
  readonly trace?: boolean | ProfilerTraceOptions;
}

/**
 * Gathers statistics of all launchers that are made with it, as `options.profiler`; one of a list counts all its members.
 * Launchers of one name and kind in the same list are one to it. It counts for itself: draining it takes nothing from a
 * launcher's own statistics, nor the other way round.
 *
 * Commands are timed on queues with profiling, and on no others: `new CommandQueue(context, { profiling: true })`.
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
  readonly #wants: (name: string) => boolean;
  readonly #traces: ((name: string) => boolean) | undefined;
  readonly #capacity: number;
  readonly #counted = new Map<string, Counted>();
  #trace: CommandTrace | undefined;
  #memory: MemoryNote[] = [];

  constructor(options?: ProfilerOptions) {
    const { filter, trace = true } = checkOptions(options, ["filter", "trace"]);
    this.#wants = nameFilter(filter, "options.filter");
    if (typeof trace !== "boolean" && (typeof trace !== "object" || trace === null)) {
      throw typeError("options.trace", "true, false or an object", trace);
    }
    const { capacity = 65_536, filter: traced } = trace === true || trace === false ? {} : trace;
    this.#capacity = checkInteger(capacity, "options.trace.capacity", 1, 2 ** 24);
    this.#traces = trace === false ? undefined : nameFilter(traced, "options.trace.filter");
  }

  /** True if it counts launchers of this name. */
  wants(name: string): boolean {
    return this.#wants(checkString(name, "name"));
  }

  /** True if it remembers single commands. */
  get traces(): boolean {
    return this.#traces !== undefined;
  }

  /** @internal */
  watch(commands: CommandStatistics, name: string, kind: CommandKind, lists: readonly string[]): void {
    if (this.#wants(name)) commands.observedBy(this.#countedAs(name, kind, lists).commands);
  }

  /**
   * Counts a command that no launcher enqueued, under a name; unless its filter says no. Its queue must have profiling. The
   * event may be released.
   */
  add(name: string, event: CommandEvent): this {
    if (this.wants(name)) this.#countedAs(name, commandKindOf(event), []).commands.add(event);
    return this;
  }

  #countedAs(name: string, kind: CommandKind, lists: readonly string[]): Counted {
    const key = JSON.stringify([kind, name, ...lists]);
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    const counted = { name, kind, lists, commands: new CommandStatistics({ label: name }) };
    this.#counted.set(key, counted);
    if (this.#traces?.(name) === true) this.#traceNow().watch(counted.commands, key);
    return counted;
  }

  #traceNow(): CommandTrace {
    this.#trace ??= new CommandTrace({ capacity: this.#capacity });
    return this.#trace;
  }

  /** Notes for the trace how much memory is in use now; points of one label are one curve. */
  noteMemory(label: string, bytes: number): this {
    checkString(label, "label");
    checkInteger(bytes, "bytes");
    if (this.#traces === undefined) return this;
    this.#memory.push({ time: hostTime(), label, bytes });
    // Not one by one, which would move all of them each time.
    if (this.#memory.length >= 2 * this.#capacity) this.#memory = this.#memory.slice(this.#capacity);
    return this;
  }

  /** What was counted since the beginning, or since it was drained: a list of the lists and launchers. */
  snapshot(): LauncherSnapshot {
    return snapshotTree(this.#counted.values(), (commands) => commands.snapshot());
  }

  /** Like {@link snapshot}, and begins anew; what is still on a queue is counted from then on. The trace stays. */
  drain(): LauncherSnapshot {
    return snapshotTree(this.#counted.values(), (commands) => commands.drain());
  }

  /** A row for each launcher, for tables, CSV and reports. */
  rows(): StatisticsRow[] {
    return statisticsRows(this.snapshot());
  }

  /** The rows as text: count, total, share, mean, deviation and percentiles, the longest total first. */
  table(options?: StatisticsTableOptions): string {
    return statisticsTable(this.rows(), options);
  }

  /**
   * The latest commands, one by one, with the functions on the host, on one clock. With `drain`, the record begins anew.
   * The device's clock is aligned with the host's by the moments in which commands were enqueued, which both know.
   */
  trace(options?: { readonly drain?: boolean }): Trace {
    const { drain = false } = checkOptions(options, ["drain"]);
    if (this.#traces === undefined) throw wrongState("the profiler keeps no trace: it was made with { trace: false }");
    const trace = this.#trace;
    const dropped = trace?.dropped ?? 0;
    const commands = trace === undefined ? [] : drain ? trace.drain() : trace.commands();
    const memory = this.#memory.slice(-this.#capacity);
    if (drain) this.#memory = [];
    return this.#traceOf(commands, memory, dropped);
  }

  #traceOf(commands: readonly TracedCommand[], memory: readonly MemoryNote[], dropped: number): Trace {
    return buildTrace(commands, (key) => originOf(this.#counted.get(key) as Counted), memory, dropped);
  }

  /** Writes the trace into a file: `trace.json` for Perfetto; other names say other formats, as `writeTrace` has them. */
  async writeTrace(path: string, options?: WriteTraceOptions): Promise<void> {
    await writeTrace(path, this.trace(), options);
  }

  /**
   * Writes a report into a file: `report.html` for one page with timeline, bars, histograms and table; other names say other
   * formats, as `writeReport` has them. Its tables are of all that was counted, its timeline of what the trace has.
   */
  async writeReport(path: string, options?: WriteReportOptions): Promise<void> {
    const trace = this.traces ? this.trace() : this.#traceOf([], [], 0);
    await writeReport(path, trace, {
      statistics: this.rows(),
      ...checkOptions(options, ["format", "signal", "title", "statistics"]),
    });
  }
}

function originOf({ kind, name, lists }: Counted): TraceOrigin {
  return { kind, name, launcher: lists.length === 0 ? undefined : [...lists, name].join(" > ") };
}

/** A profiler, or none. */
export function checkProfiler(value: unknown): Profiler | undefined {
  return value === undefined ? undefined : checkInstance(value, Profiler, "options.profiler");
}
