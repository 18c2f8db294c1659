/** Launches of the kernels that process rows before and after their transforms. */
import { hasParallelWorkItems } from "@cl/characterize";
import type { Allocation, CommandQueue } from "@cl/core";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import type { Storage } from "../storage/storage.js";
import type { RealType } from "./butterflies-source.js";
import { rowsSource } from "./rows-source.js";
import type { Place } from "./place.js";

/** Rows that become others. */
export interface RowsJob {
  readonly name: "multiply" | "unpack" | "pack" | "mirror";
  readonly real: RealType;
  readonly rows: number;
  readonly source: Place;
  /** Elements of a row of the source. */
  readonly sourceLength: number;
  readonly target: Place;
  readonly targetLength: number;
  /** Roots, or what elements are multiplied with, from `tableStart` on. */
  readonly table: Allocation;
  readonly tableStart?: number;
  /** The storage of the table, where kernels write it. */
  readonly tableStorage?: Storage;
  /** Elements of a row that are not 0, for "multiply". */
  readonly count?: number;
  readonly scale: number;
  readonly flags?: number;
  readonly bits?: number;
}

/** Launches it. */
export function runRows(queue: CommandQueue, job: RowsJob): void {
  const { name, real, rows, source, target, table } = job;
  const { context, device } = queue;
  const loops = !hasParallelWorkItems(device);
  const kernel = kernelOf(context, `fft rows ${name} ${real} ${loops}`, name, () => rowsSource({ real, loops }));
  const numbers = new ArrayBuffer(56);
  new BigInt64Array(numbers, 0, 6).set(
    [rows, source.start, job.sourceLength, target.start, job.targetLength, job.tableStart ?? 0].map(BigInt),
  );
  new Int32Array(numbers, 48).set([job.flags ?? 0, job.bits ?? 0]);
  const all = rows * job.targetLength;
  const sizes = loops
    ? { global: Math.min(Math.ceil(all / 1024), device.maxComputeUnits * 8), local: 1 }
    : wholeGroups(device, all);
  const args = [
    source.storage.memory,
    target.storage.memory,
    table,
    ...(name === "multiply" ? [BigInt(job.count ?? job.targetLength)] : []),
    job.scale,
    new Uint8Array(numbers),
  ];
  const reads = [source.storage, ...(job.tableStorage === undefined ? [] : [job.tableStorage])];
  launchOrdered(queue, kernel, sizes, args, reads, [target.storage]);
}
