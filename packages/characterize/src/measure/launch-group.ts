/** Measures the launch costs of an empty kernel. */
import { present } from "@cl/base";
import { type CommandEvent, CommandQueue, type Kernel, LaunchList, profilingTimes } from "@cl/core";

import { type BenchDevice, seconds } from "./bench-device.js";
import type { LaunchCharacteristics } from "./characteristics.js";
import { emptySource } from "./kernels/empty.js";
import { type Figures, measure, type Measuring } from "./measuring.js";
import type { Probe } from "./sampler.js";

export async function measureLaunches(measuring: Measuring): Promise<Figures<LaunchCharacteristics>> {
  const { bench } = measuring;
  const { queue, profiled } = bench;
  const kernel: Kernel = bench.own((await bench.program(emptySource)).kernel("nothing"));
  const local = bench.groupSize(kernel, 256);
  const sizes = { global: local * bench.device.maxComputeUnits, local };
  const singleItem = { global: 1, local: 1 };
  const bound = bench.own(kernel.bind(singleItem));
  const list = bench.own(new LaunchList(bench.context));
  for (let i = 0; i < LIST_LENGTH; i++) list.push(bound);

  const repeated = (name: string, on: CommandQueue, enqueue: () => CommandEvent | void): Probe => ({
    name,
    run: (count) => bench.timed(on, count, enqueue),
  });
  const latency = blocking("latency", () => kernel.launchAndFinishSync(queue, sizes));
  const awaited: Probe = {
    name: "awaited",
    async run(count) {
      const start = seconds();
      for (let i = 0; i < count; i++) {
        kernel.launch(queue, sizes);
        await bench.finish(queue);
      }
      return seconds() - start;
    },
  };
  const queuedToStart = profiledLatency("queuedToStart", bench, kernel, sizes, ["queued", "start"]);
  const emptyKernel = profiledLatency("emptyKernel", bench, kernel, sizes, ["start", "end"]);
  const inOrder = repeated("inOrder", queue, () => bound.launch(queue));
  const unordered = bench.device.hasQueueOutOfOrderExecMode
    ? bench.own(new CommandQueue(bench.context, { outOfOrder: true }))
    : undefined;
  const outOfOrder = unordered && repeated("outOfOrder", unordered, () => bound.launch(unordered));
  const listed = repeated("list", queue, () => list.launch(queue));
  const withEvents = repeated("withEvents", queue, () => bound.enqueue(queue));
  const withProfiling = repeated("withProfiling", profiled, () => bound.enqueue(profiled));

  const probes = [latency, awaited, queuedToStart, emptyKernel, inOrder, listed, withEvents, withProfiling];
  if (outOfOrder !== undefined) probes.push(outOfOrder);
  const outcome = await measure(measuring, probes);
  const notes = [...outcome.notes];
  if (outOfOrder === undefined) notes.push("outOfOrder: the device does not support out-of-order queues");
  return {
    ...present<Omit<LaunchCharacteristics, "measuredAt" | "seconds" | "notes">>({
      latency: outcome.time(latency),
      awaited: outcome.time(awaited),
      queuedToStart: outcome.time(queuedToStart),
      emptyKernel: outcome.time(emptyKernel),
      inOrder: outcome.rate(inOrder, 1, "launches/s"),
      outOfOrder: outcome.rate(outOfOrder, 1, "launches/s"),
      list: outcome.rate(listed, LIST_LENGTH, "launches/s"),
      withEvents: outcome.time(withEvents),
      withProfiling: outcome.time(withProfiling),
    }),
    notes,
  };
}

const LIST_LENGTH = 20;

function blocking(name: string, call: () => void): Probe {
  return {
    name,
    run(count) {
      const start = seconds();
      for (let i = 0; i < count; i++) call();
      return seconds() - start;
    },
  };
}

/** Returns a probe that launches one kernel at a time and measures by the device's clock. */
function profiledLatency(
  name: string,
  { profiled }: BenchDevice,
  kernel: Kernel,
  sizes: { readonly global: number; readonly local: number },
  fields: readonly ["queued" | "start", "start" | "end"],
): Probe {
  return {
    name,
    // The event of each repetition is retained until the end.
    maxCount: 1000,
    run(count) {
      const events: CommandEvent[] = [];
      // The times are read afterwards, since a pause between launches would let the driver's threads sleep.
      for (let i = 0; i < count; i++) {
        events.push(kernel.enqueue(profiled, sizes));
        profiled.finishSync();
      }
      const times = profilingTimes(events, fields);
      let total = 0n;
      for (let i = 0; i < count; i++) total += (times[2 * i + 1] ?? 0n) - (times[2 * i] ?? 0n);
      for (const event of events) event.release();
      return Number(total) * 1e-9;
    },
  };
}
