/** Runs kernels that write each element of an array independently. */
import type { CommandQueue } from "@cl/core";
import type { Storage } from "../storage/storage.js";
import { kernelOf } from "./kernel-cache.js";
import { launchOrdered, wholeGroups } from "./launch.js";

/** What a kernel is, and what it gets after the memory and the number of elements. */
export interface StorageKernel {
  /** What tells it from all others. */
  readonly key: string;
  readonly name: string;
  readonly source: () => string;
  /** Whether the number of elements is an int. */
  readonly short: boolean;
  readonly args: readonly (number | bigint | ArrayBufferView)[];
}

/** Launches a kernel that writes `size` elements of memory from its start, one by each work-item. */
export function runOver(queue: CommandQueue, storage: Storage, size: number, plan: StorageKernel): void {
  const kernel = kernelOf(queue.context, plan.key, plan.name, plan.source);
  const args = [storage.memory, plan.short ? size : BigInt(size), ...plan.args];
  launchOrdered(queue, kernel, wholeGroups(queue.device, size), args, [], [storage]);
}
