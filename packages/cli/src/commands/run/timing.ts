/** Launches a kernel repeatedly and measures each launch on the device. */
import { type CommandEvent, type CommandQueue, type Kernel, type LaunchSizes, profilingTimes } from "@cl/core";

import type { Output } from "../../io.js";
import { style } from "../../style.js";

/** Statistics of launch times in nanoseconds. */
export interface Timing {
  readonly launches: number;
  readonly first: number;
  readonly min: number;
  readonly median: number;
  readonly mean: number;
  readonly max: number;
}

/** Number of launches whose events are kept before their times are read. */
const batchSize = 512;

/** Runs `launches` launches in sequence and returns their times. */
export async function timeLaunches(
  kernel: Kernel,
  queue: CommandQueue,
  sizes: LaunchSizes,
  values: readonly unknown[],
  launches: number,
): Promise<Timing> {
  const times = new Float64Array(launches);
  for (let done = 0; done < launches; done += batchSize) {
    const events: CommandEvent[] = [];
    for (let i = done; i < Math.min(launches, done + batchSize); i++) {
      events.push(kernel.enqueue(queue, sizes, ...values));
    }
    await Promise.all(events.map(async (event) => event.wait()));
    const timestamps = profilingTimes(events, ["start", "end"]);
    for (const i of events.keys()) {
      times[done + i] = Number((timestamps[2 * i + 1] as bigint) - (timestamps[2 * i] as bigint));
    }
    for (const event of events) event.release();
  }
  const first = times[0] as number;
  const mean = times.reduce((sum, time) => sum + time, 0) / launches;
  times.sort();
  const middleSum =
    (times[Math.floor((launches - 1) / 2)] as number) + (times[Math.ceil((launches - 1) / 2)] as number);
  return { launches, first, min: times[0] as number, median: middleSum / 2, mean, max: times.at(-1) as number };
}

/** Formats the times as a table with one row, in microseconds. */
export function timingTable(name: string, timing: Timing, output: Output): string {
  const { launches, ...times } = timing;
  const columns = launches === 1 ? [["time", times.first] as const] : Object.entries(times);
  const cells: readonly (readonly [head: string, cell: string])[] = [
    ["kernel", name],
    ["launches", String(launches)],
    ...columns.map(([column, time]) => [`${column} [µs]`, (time / 1000).toFixed(1)] as const),
  ];
  const widths = cells.map((pair) => Math.max(...pair.map((text) => text.length)));
  const line = (row: 0 | 1): string =>
    cells
      .map((pair, i) => (i === 0 ? pair[row].padEnd(widths[i] as number) : pair[row].padStart(widths[i] as number)))
      .join("  ");
  return `${style(output, "bold", line(0))}\n${line(1)}\n`;
}
