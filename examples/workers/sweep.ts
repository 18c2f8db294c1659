/**
 * A parameter sweep in memory shared by several threads. Each thread takes the next batch of parameters, computes the orbits
 * on the device and finds their periods in JavaScript.
 */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";

import { logisticSource } from "./logistic.cl.js";

/** State of the sweep, passed to each thread. Posting it copies the numbers but shares the arrays' memory. */
export interface Sweep {
  /** First parameter and spacing of the parameters. */
  readonly from: number;
  readonly pitch: number;
  /** Period of each parameter's orbit, or 0 if it has no short period. */
  readonly periods: Uint8Array;
  /** Number of parameters taken by all threads together. */
  readonly taken: Int32Array;
  /** Number of parameters that each thread has completed. */
  readonly done: Int32Array;
}

/** Parameters per batch, points skipped until an orbit settles, and points examined. */
const [batch, settle, length] = [2048, 4000, 64];

/** Creates a sweep with shared memory. */
export function newSweep(from: number, to: number, count: number, threads: number): Sweep {
  return {
    from,
    pitch: (to - from) / count,
    periods: new Uint8Array(new SharedArrayBuffer(count)),
    taken: new Int32Array(new SharedArrayBuffer(4)),
    done: new Int32Array(new SharedArrayBuffer(4 * threads)),
  };
}

/** Processes batches until none is left. Each thread calls it with its own queue. */
export async function takePart(queue: CommandQueue, sweep: Sweep, thread: number): Promise<void> {
  const { periods, taken, done } = sweep;
  const kernel = (await new Program(queue.context, logisticSource).build()).kernel("orbits");
  using buffer = DeviceBuffer.empty(queue.context, Float32Array, batch * length);
  const points = new Float32Array(batch * length);
  for (;;) {
    // Atomic, so no two threads get the same batch.
    const first = Atomics.add(taken, 0, batch);
    if (first >= periods.length) return;
    const count = Math.min(batch, periods.length - first);
    kernel.launch(queue, { global: count }, buffer, sweep.from, sweep.pitch, first, settle, length);
    await queue.read(buffer, { into: points.subarray(0, count * length), length: count * length });
    for (let i = 0; i < count; i++) periods[first + i] = periodOf(points.subarray(i * length, (i + 1) * length));
    Atomics.add(done, thread, count);
  }
}

/** Returns the period of an orbit, or 0 if it exceeds a quarter of the examined points. */
function periodOf(points: Float32Array): number {
  for (let period = 1; period <= points.length / 4; period++) {
    let n = period;
    while (n < points.length && Math.abs((points[n] as number) - (points[n - period] as number)) < 1e-4) n++;
    if (n === points.length) return period;
  }
  return 0;
}
