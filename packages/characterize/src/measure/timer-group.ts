/** Measures the resolution of clocks. */
import { present } from "@cl/base";
import { profilingTimes } from "@cl/core";

import { yieldToEventLoop } from "./bench-device.js";
import type { TimerCharacteristics } from "./characteristics.js";
import { emptySource } from "./kernels/empty.js";
import type { Figures, Measuring } from "./measuring.js";

/** Measures the timer group by the differences between many close times. */
export async function measureTimer({ bench }: Measuring): Promise<Figures<TimerCharacteristics>> {
  const kernel = bench.own((await bench.program(emptySource)).kernel("nothing"));
  const times: bigint[] = [];
  for (let round = 0; round < 4; round++) {
    const events = Array.from({ length: 100 }, () => kernel.enqueue(bench.profiled, { global: 1 }));
    await bench.finish(bench.profiled);
    times.push(...profilingTimes(events, ["queued", "submit", "start", "end"]));
    for (const event of events) event.release();
  }
  const deviceStep = smallestStep(times);
  const host: bigint[] = [];
  for (let i = 0; i < 5000; i++) host.push(process.hrtime.bigint());
  await yieldToEventLoop(bench.signal);
  return {
    ...present<Pick<TimerCharacteristics, "deviceStep">>({ deviceStep }),
    deviceResolution: bench.device.profilingTimerResolution * 1e-9,
    hostStep: smallestStep(host) ?? 1e-9,
    notes: deviceStep === undefined ? ["deviceStep: the device's clock did not move"] : [],
  };
}

/** Returns the smallest nonzero difference between two times in seconds. */
export function smallestStep(nanoseconds: readonly bigint[]): number | undefined {
  const sorted = nanoseconds.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  let smallest: bigint | undefined;
  for (let i = 1; i < sorted.length; i++) {
    const step = (sorted[i] as bigint) - (sorted[i - 1] as bigint);
    if (step > 0n && (smallest === undefined || step < smallest)) smallest = step;
  }
  return smallest === undefined ? undefined : Number(smallest) * 1e-9;
}
