/** Single measurements of transfers and of profiling overhead. */
import { checkInstance, checkInteger, typeError } from "@cl/base";
import { CommandQueue, Context, DeviceBuffer } from "@cl/core";

import type { TransferDirection } from "../measure/characteristics.js";
import { secondsOf, type Timing, type TimingOptions, timingOf } from "./timing.js";

/**
 * Measures the seconds per transfer of one byte in a sequence of transfers.
 *
 * @example
 * ```ts
 * console.log(await transferLatency(queue, "hostToDevice")); // such as 0.0000021
 * ```
 */
export async function transferLatency(
  queue: CommandQueue,
  direction: TransferDirection,
  options?: TimingOptions,
): Promise<number> {
  checkInstance(queue, CommandQueue, "queue");
  checkDirection(direction);
  return transferSeconds(queue, direction, 1, timingOf(options));
}

/** Measures the bytes per second in a sequence of transfers of `bytes` bytes. */
export async function transferBandwidth(
  queue: CommandQueue,
  direction: TransferDirection,
  bytes: number,
  options?: TimingOptions,
): Promise<number> {
  checkInstance(queue, CommandQueue, "queue");
  checkDirection(direction);
  checkInteger(bytes, "bytes", 1);
  return bytes / (await transferSeconds(queue, direction, bytes, timingOf(options)));
}

/** The cost of profiling. */
export interface ProfilingOverhead {
  /** Seconds that profiling adds to a copy of one byte on the device; can be negative because of noise. */
  readonly overhead: number;
  /** Seconds of such a copy with profiling. */
  readonly withProfiling: number;
}

/** Measures the overhead of profiling on the context's first device. */
export async function profilingOverhead(context: Context, options?: TimingOptions): Promise<ProfilingOverhead> {
  checkInstance(context, Context, "context");
  const timing = timingOf(options);
  const without = new CommandQueue(context);
  const profiling = new CommandQueue(context, { profiling: true });
  try {
    const plain = await transferSeconds(without, "deviceToDevice", 1, timing);
    const withProfiling = await transferSeconds(profiling, "deviceToDevice", 1, timing);
    return { overhead: withProfiling - plain, withProfiling };
  } finally {
    without.release();
    profiling.release();
  }
}

async function transferSeconds(
  queue: CommandQueue,
  direction: TransferDirection,
  bytes: number,
  timing: Timing,
): Promise<number> {
  const buffers = [new DeviceBuffer(queue.context, { size: bytes }), new DeviceBuffer(queue.context, { size: bytes })];
  const [to, from] = buffers as [DeviceBuffer, DeviceBuffer];
  try {
    const host = new Uint8Array(bytes).fill(1);
    // Writing first makes the system allocate the memory pages.
    await Promise.all([queue.write(to, host), queue.write(from, host)]);
    const ends = { hostToDevice: [to, host], deviceToHost: [host, from], deviceToDevice: [to, from] } as const;
    const [target, source] = ends[direction];
    return await secondsOf(queue, timing, () => queue.enqueueCopy(target, source));
  } finally {
    for (const buffer of buffers) buffer.release();
  }
}

function checkDirection(value: unknown): void {
  if (value === "hostToDevice" || value === "deviceToHost" || value === "deviceToDevice") return;
  throw typeError("direction", '"hostToDevice", "deviceToHost" or "deviceToDevice"', value);
}
