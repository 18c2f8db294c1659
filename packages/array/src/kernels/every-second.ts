/**
 * Copies of every second element on CPUs. Compilers gather such elements one by one; loading whole vectors and keeping
 * half of each is twice as fast.
 */
import { hasParallelWorkItems, loopWorkItemCount } from "@cl/characterize";
import type { Context, Device, LaunchSizes } from "@cl/core";
import { copiedLength, everySecondSource } from "./every-second-source.js";
import type { GeneratedKernel } from "./generated-program.js";
import { kernelOf } from "./kernel-cache.js";
import type { Axes } from "./collapse.js";

/** A kernel of a source, a result and their places, and over what it runs. */
export interface CopyLaunch {
  readonly kernel: GeneratedKernel;
  readonly sizes: LaunchSizes;
  /** The last argument. */
  readonly last: Int32Array | BigInt64Array;
}

/** Shorter lines are not worth it. */
const minLength = 64;

/** The kernel for a copy from the first of two operands of `axes` to the second, if it is such a copy. */
export function everySecond(context: Context, device: Device, axes: Axes, itemSize: number): CopyLaunch | undefined {
  const [length = 0, ...others] = axes.extents;
  const [from, to] = axes.strides as readonly [readonly number[], readonly number[]];
  // Few axes remain once they are collapsed; the arguments of many would not fit everywhere.
  if (hasParallelWorkItems(device) || itemSize > 8 || others.length > 16) return undefined;
  if (from[0] !== 2 || to[0] !== 1 || length < minLength) return undefined;
  const count = others.reduce((product, extent) => product * extent, 1);
  const parts = Math.ceil(length / copiedLength) * count;
  const isAligned = [axes.offsets[1] as number, ...to.slice(1)].every((distance) => (distance * itemSize) % 64 === 0);
  // Of the source, all lines are read.
  const streaming = isAligned && 3 * itemSize * length * count > device.globalMemCacheSize;
  const numbers = [parts, length, ...axes.offsets, ...others, ...from.slice(1), ...to.slice(1)];
  const text = { itemSize, outer: others.length, short: axes.short };
  const key = `every second ${itemSize} ${others.length} ${String(axes.short)} ${String(streaming)}`;
  return {
    kernel: kernelOf(context, key, "copy", () => everySecondSource(text, streaming)),
    sizes: { global: Math.min(parts, loopWorkItemCount(device)), local: 1 },
    last: axes.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt),
  };
}
