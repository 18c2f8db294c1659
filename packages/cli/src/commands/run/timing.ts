/** Launches a kernel many times, and measures on the device how long each took. */
import { type CommandEvent, type CommandQueue, type Kernel, type LaunchSizes, profilingTimes } from "@cl/core";

import type { Output } from "../../io.js";
import { style } from "../../style.js";

/** Nanoseconds of launches. */
export interface Timing {
  readonly launches: number;
  readonly first: number;
  readonly min: number;
  readonly median: number;
  readonly mean: number;
  readonly max: number;
}

/** So many events are kept before their times are read. */
const batch = 512;

/** The times of so many launches, one after the other. */
export async function timeLaunches(
  kernel: Kernel,
  queue: CommandQueue,
  sizes: LaunchSizes,
  values: readonly unknown[],
  launches: number,
): Promise<Timing> {
  const times = new Float64Array(launches);
  for (let done = 0; done < launches; done += batch) {
    const events: CommandEvent[] = [];
    for (let i = done; i < Math.min(launches, done + batch); i++) events.push(kernel.enqueue(queue, sizes, ...values));
    await Promise.all(events.map(async (event) => event.wait()));
    const stamps = profilingTimes(events, ["start", "end"]);
    for (const i of events.keys()) times[done + i] = Number((stamps[2 * i + 1] as bigint) - (stamps[2 * i] as bigint));
    for (const event of events) event.release();
  }
  const first = times[0] as number;
  const mean = times.reduce((sum, time) => sum + time, 0) / launches;
  times.sort();
  const middle = (times[Math.floor((launches - 1) / 2)] as number) + (times[Math.ceil((launches - 1) / 2)] as number);
  return { launches, first, min: times[0] as number, median: middle / 2, mean, max: times.at(-1) as number };
}

/** The times as a table of one row, in microseconds. */
export function timingTable(name: string, timing: Timing, output: Output): string {
  const { launches, ...times } = timing;
  const shown = launches === 1 ? [["time", times.first] as const] : Object.entries(times);
  const cells: readonly (readonly [head: string, cell: string])[] = [
    ["kernel", name],
    ["launches", String(launches)],
    ...shown.map(([column, time]) => [`${column} [µs]`, (time / 1000).toFixed(1)] as const),
  ];
  const widths = cells.map((pair) => Math.max(...pair.map((text) => text.length)));
  const line = (row: 0 | 1): string =>
    cells
      .map((pair, i) => (i === 0 ? pair[row].padEnd(widths[i] as number) : pair[row].padStart(widths[i] as number)))
      .join("  ");
  return `${style(output, "bold", line(0))}\n${line(1)}\n`;
}
