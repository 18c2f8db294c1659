/** Computes statistics from the commands of a trace. A profiler's statistics also include dropped commands. */
import { checkTrace } from "./check-trace.js";
import { percentile } from "./percentile.js";
import type { StatisticsRow } from "./statistics-row.js";
import type { Trace, TraceCommand } from "./trace.js";

/**
 * Returns a row for each combination of name, kind and launcher, by descending total. Percentiles are exact.
 *
 * @example
 * ```ts
 * const command = { name: "advect", kind: "kernel", queue: 0, queued: 0, submitted: 10 } as const;
 * const rows = traceStatistics({
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, hostSpans: [], memory: [], dropped: 0,
 *   queues: [{ id: 0, label: "main", device: "cpu", outOfOrder: false }],
 *   commands: [{ ...command, started: 100, ended: 300 }, { ...command, started: 300, ended: 700 }],
 * });
 * console.log(rows[0]?.count, rows[0]?.mean); // 2 300
 * ```
 */
export function traceStatistics(trace: Trace): StatisticsRow[] {
  const groups = new Map<string, TraceCommand[]>();
  for (const command of checkTrace(trace).commands) {
    const key = `${command.kind}\0${command.name}\0${command.launcher ?? ""}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [command]);
    else group.push(command);
  }
  return Array.from(groups.values(), rowOf).sort((a, b) => b.total - a.total);
}

function rowOf(commands: readonly TraceCommand[]): StatisticsRow {
  const { name, kind, launcher } = commands[0] as TraceCommand;
  const succeeded = commands.filter(({ failed }) => failed === undefined);
  const times = Float64Array.from(succeeded, ({ started, ended }) => ended - started).sort();
  const count = times.length;
  const total = times.reduce((sum, time) => sum + time, 0);
  const mean = total / count;
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / count;
  const moved = succeeded.some(({ bytes }) => bytes !== undefined);
  const bytes = succeeded.reduce((sum, command) => sum + (command.bytes ?? 0), 0);
  return {
    name,
    kind,
    ...(launcher === undefined ? {} : { launcher }),
    count,
    failed: commands.length - count,
    total,
    mean,
    std: Math.sqrt(variance),
    min: times.at(0) ?? Number.NaN,
    max: times.at(-1) ?? Number.NaN,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    queueDelay: succeeded.reduce((sum, { queued, submitted }) => sum + (submitted - queued), 0) / count,
    submitDelay: succeeded.reduce((sum, { submitted, started }) => sum + (started - submitted), 0) / count,
    ...(moved ? { bytes, gbPerSecond: total > 0 ? bytes / total : Number.NaN } : {}),
  };
}
