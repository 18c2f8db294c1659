/**
 * A sweep over a parameter, whose memory several threads share: each takes the next batch of parameters, has the device
 * compute the orbits, and finds their periods in JavaScript.
 */
import { type CommandQueue, DeviceBuffer, Program } from "@cl/core";

import { logisticSource } from "./logistic.cl.js";

/** What the threads share. It is sent to them as it is: a message copies the numbers in it, but not shared memory. */
export interface Sweep {
  /** The first parameter, and how far apart they are. */
  readonly from: number;
  readonly pitch: number;
  /** For each parameter its orbit's period, or 0 if it has none that is short. */
  readonly periods: Uint8Array;
  /** How many parameters the threads have taken, all together. */
  readonly taken: Int32Array;
  /** How many each thread has done. */
  readonly done: Int32Array;
}

/** Parameters of a batch, points that an orbit is given to settle, and points that are looked at. */
const [batch, settle, length] = [2048, 4000, 64];

/** A sweep that nobody has begun. */
export function newSweep(from: number, to: number, count: number, threads: number): Sweep {
  return {
    from,
    pitch: (to - from) / count,
    periods: new Uint8Array(new SharedArrayBuffer(count)),
    taken: new Int32Array(new SharedArrayBuffer(4)),
    done: new Int32Array(new SharedArrayBuffer(4 * threads)),
  };
}

/** Does batches for as long as there are any. Each thread that calls it has a queue of its own. */
export async function takePart(queue: CommandQueue, sweep: Sweep, thread: number): Promise<void> {
  const { periods, taken, done } = sweep;
  const kernel = (await new Program(queue.context, logisticSource).build()).kernel("orbits");
  using buffer = DeviceBuffer.empty(queue.context, Float32Array, batch * length);
  const points = new Float32Array(batch * length);
  for (;;) {
    // No two threads get the same batch, however close they are.
    const first = Atomics.add(taken, 0, batch);
    if (first >= periods.length) return;
    const count = Math.min(batch, periods.length - first);
    kernel.launch(queue, { global: count }, buffer, sweep.from, sweep.pitch, first, settle, length);
    await queue.read(buffer, { into: points.subarray(0, count * length), length: count * length });
    for (let i = 0; i < count; i++) periods[first + i] = periodOf(points.subarray(i * length, (i + 1) * length));
    Atomics.add(done, thread, count);
  }
}

/** After how many points an orbit is back, each time; 0 if that is more than a quarter of what is known of it. */
function periodOf(points: Float32Array): number {
  for (let period = 1; period <= points.length / 4; period++) {
    let n = period;
    while (n < points.length && Math.abs((points[n] as number) - (points[n - period] as number)) < 1e-4) n++;
    if (n === points.length) return period;
  }
  return 0;
}
