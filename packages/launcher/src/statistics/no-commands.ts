/** What to tell users whose profile is empty, mostly because their queue has no profiling. */
import type { StatisticsRow } from "@cl/trace";

export const noCommands =
  "No commands were recorded. Profiling requires new CommandQueue(context, { profiling: true })";

export function hasCommands(rows: readonly StatisticsRow[]): boolean {
  return rows.some(({ count, failed = 0 }) => count + failed > 0);
}
