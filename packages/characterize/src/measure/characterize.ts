/** Measures the performance of a device. */
import { checkInstance, SerialQueue } from "@cl/base";
import { Device } from "@cl/core";

import { MeasurementCache } from "../cache/measurement-cache.js";
import { measureAtomics } from "./atomics-group.js";
import { BenchDevice, yieldToEventLoop, seconds } from "./bench-device.js";
import { type Characteristics, type CharacteristicsGroup, groups } from "./characteristics.js";
import { measureCompute } from "./compute-group.js";
import { describeDevice } from "./describe-device.js";
import { measureLaunches } from "./launch-group.js";
import { measureLocalMemory } from "./local-group.js";
import type { Figures, Measuring } from "./measuring.js";
import { measureGlobalMemory } from "./memory-group.js";
import { type CharacterizeOptions, type CharacterizePlan, planOf } from "./options.js";
import { measureTimer } from "./timer-group.js";
import { measureTransfers } from "./transfer-group.js";

/** Serializes measurements in this process, since concurrent ones would distort each other. */
const measurementQueue = new SerialQueue();

/**
 * Measures launches, transfers, memory, arithmetic and atomics of a device. The first call takes some seconds. Then the
 * result is read from disk until the device, its driver or the measurements change.
 *
 * The event loop keeps running, but other work on the device or host distorts the results. Concurrent calls in one
 * process are serialized.
 *
 * @example
 * ```ts
 * const measured = await characterize(context.devices[0]!, { only: ["atomics"], quick: true });
 * console.log(measured.atomics?.entries[0]?.rate.unit); // op/s
 * console.log(measured.atomics?.entries[0]?.rate.median); // such as 198000000
 * ```
 */
export async function characterize(device: Device, options?: CharacterizeOptions): Promise<Characteristics> {
  checkInstance(device, Device, "device");
  const plan = planOf(options);
  plan.signal?.throwIfAborted();
  const cache = plan.cache ? new MeasurementCache(device, plan.quick) : undefined;
  const known = plan.refresh ? undefined : cache?.readSync();
  if (known !== undefined && missing(plan, known).length === 0) return pick(plan, known);

  return measurementQueue.run(plan.signal, async () => {
    // Another call may have measured and stored further groups in the meantime.
    const cached = cache?.readSync();
    const reused = plan.refresh ? undefined : cached;
    const measured = await measureGroups(device, plan, missing(plan, reused));
    const result = inOrder({ ...reused, ...measured });
    await cache?.write(inOrder({ ...cached, ...measured }));
    return pick(plan, result);
  });
}

/** Measures the groups one after another. */
async function measureGroups(
  device: Device,
  plan: CharacterizePlan,
  requested: readonly CharacteristicsGroup[],
): Promise<Characteristics> {
  const result: Record<string, unknown> = { format: 1, device: describeDevice(device), quick: plan.quick };
  let group: CharacteristicsGroup = "timer";
  let finished = 0;
  const bench = new BenchDevice(device, plan.signal);
  try {
    const measuring: Measuring = {
      bench,
      quick: plan.quick,
      plan: { rounds: plan.rounds, turn: plan.duration / plan.rounds },
      environment: {
        now: seconds,
        yieldToEventLoop: () => yieldToEventLoop(plan.signal),
        onTurn: (name, done, of) =>
          plan.onProgress?.({ group, name, fraction: (finished + (done / of) * 0.999) / requested.length }),
      },
      maxBytes: fitting(device, plan.maxBytes),
      deviceBytes: fitting(device, plan.maxBytes * (bench.isCpu ? 1 : 4)),
    };
    for (group of requested) {
      const measuredAt = new Date().toISOString();
      const start = seconds();
      const figures: Figures<NonNullable<Characteristics[typeof group]>> = await measurements[group](measuring);
      result[group] = { measuredAt, seconds: seconds() - start, ...figures };
      finished++;
      plan.onProgress?.({ group, name: group, fraction: finished / requested.length });
      await yieldToEventLoop(plan.signal);
    }
    return result as unknown as Characteristics;
  } finally {
    bench.release();
  }
}

const measurements = {
  timer: measureTimer,
  launch: measureLaunches,
  transfer: measureTransfers,
  globalMemory: measureGlobalMemory,
  localMemory: measureLocalMemory,
  compute: measureCompute,
  atomics: measureAtomics,
} as const;

/** Returns the largest power of two up to `bytes` of which the device can allocate several buffers. */
function fitting(device: Device, bytes: number): number {
  const limit = Math.min(bytes, device.maxMemAllocSize / 2, device.globalMemSize / 8);
  return 2 ** Math.floor(Math.log2(Math.max(2 ** 16, limit)));
}

function missing(plan: CharacterizePlan, known: Characteristics | undefined): readonly CharacteristicsGroup[] {
  return plan.groups.filter((group) => known?.[group] === undefined);
}

/** Returns only the requested groups. */
function pick(plan: CharacterizePlan, from: Characteristics): Characteristics {
  return inOrder(from, plan.groups);
}

function inOrder(from: Characteristics, requested: readonly CharacteristicsGroup[] = groups): Characteristics {
  const { format, device, quick } = from;
  const chosen = requested.filter((group) => from[group] !== undefined).map((group) => [group, from[group]]);
  const banks = requested.includes("localMemory") ? from.localMemory?.banks : undefined;
  const bankCount = banks?.observable === true ? { localMemoryBankCount: banks.count } : {};
  return { format, device, quick, ...bankCount, ...Object.fromEntries(chosen) } as Characteristics;
}
