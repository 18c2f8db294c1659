/** Launches the sort of short lines. */
import { hasParallelWorkItems } from "@cl/characterize";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { maxInRow, rowsGroup, rowsSource } from "./rows-source.js";
import { jobKey, type SortJob, startOf } from "./sort-job.js";

/** Number of work-items that keep the cores of a CPU evenly busy. */
const maxShares = 64;

/** Enqueues it. The lines have {@link maxInRow} elements at most. */
export function sortRows(job: SortJob): void {
  const { xp, source, descending, lines, length, keys, places, given, results } = job;
  const { queue } = xp;
  const on = hasParallelWorkItems(queue.device) ? "gpu" : "processor";
  const kernel = kernelOf(queue.context, `rows ${on} ${jobKey(job)}`, "rows", () =>
    rowsSource({ dtype: source.dtype, descending, places, on }),
  );
  const share =
    on === "gpu"
      ? maxInRow(source.dtype) / 2 ** Math.ceil(Math.log2(Math.max(length, 2)))
      : Math.ceil(lines / maxShares);
  const local = on === "gpu" ? rowsGroup : 1;
  // A kernel that stores no keys gets any memory for them.
  const target = (keys ?? results) as NonNullable<typeof keys>;
  const payload = [given, results].flatMap((one) => (one === undefined ? [] : [one.storage]));
  launchOrdered(
    queue,
    kernel,
    { global: Math.ceil(lines / share) * local, local },
    [
      source.storage.memory,
      target.storage.memory,
      ...payload.map(({ memory }) => memory),
      startOf(job),
      BigInt(lines),
      length,
      share,
      keys === undefined ? 0 : 1,
    ],
    [source.storage, ...(given === undefined ? [] : [given.storage])],
    [target.storage, ...(results === undefined ? [] : [results.storage])],
  );
}
