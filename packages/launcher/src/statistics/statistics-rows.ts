import type { StatisticsRow } from "@cl/trace";
import type { LauncherSnapshot } from "./launcher-statistics.js";

/**
 * Converts statistics to rows for tables, CSV and reports: one for each launcher with commands. `launcher` contains the
 * enclosing lists.
 *
 * @example
 * ```ts
 * const step = new ListLauncher("timestep").push(new FillLauncher("clear", { target: u, pattern: 0 }));
 * console.log(statisticsRows(step.statistics.snapshot())[0]?.launcher); // timestep > clear
 * ```
 */
export function statisticsRows(snapshot: LauncherSnapshot): StatisticsRow[] {
  return rowsUnder(snapshot, undefined);
}

function rowsUnder(snapshot: LauncherSnapshot, path: string | undefined): StatisticsRow[] {
  const { name, kind, members } = snapshot;
  const fullName = path === undefined ? name : `${path} > ${name}`;
  if (kind === "list") {
    return (members ?? []).flatMap((member) => rowsUnder(member, fullName === "" ? undefined : fullName));
  }
  return [rowOf(snapshot, name, path === undefined ? undefined : fullName)];
}

function rowOf(snapshot: LauncherSnapshot, name: string, launcher: string | undefined): StatisticsRow {
  const { kind, count, failed, total, mean, std, min, max, p50, p95, bytes, gbPerSecond } = snapshot;
  return {
    name,
    kind: kind === "list" ? "other" : kind,
    ...(launcher === undefined ? {} : { launcher }),
    count,
    failed,
    total,
    mean,
    std,
    min,
    max,
    p50,
    p95,
    queueDelay: snapshot.queueDelay.mean,
    submitDelay: snapshot.submitDelay.mean,
    ...(bytes > 0 ? { bytes, gbPerSecond } : {}),
  };
}
