/** Everything about a device that has to be measured, in one call. */
import { checkInstance, Turns } from "@cl/base";
import { Device } from "@cl/core";

import { MeasurementCache } from "../cache/measurement-cache.js";
import { measureAtomics } from "./atomics-group.js";
import { BenchDevice, breathe, seconds } from "./bench-device.js";
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

/** One measurement at a time in a process: two at once would measure each other. */
const turns = new Turns();

/**
 * Measures a device: launches, transfers, memory, arithmetic, atomics. It takes some seconds the first time; then the
 * result is read from disk, until the device, its driver or what is measured changes.
 *
 * The event loop goes on meanwhile, and nothing else should: what the device and the host do besides is in the figures.
 * Calls in one process take turns.
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

  return turns.take(plan.signal, async () => {
    // Another call may have measured it, and stored more than is about to be.
    const kept = cache?.readSync();
    const before = plan.refresh ? undefined : kept;
    const measured = await measureGroups(device, plan, missing(plan, before));
    const result = inOrder({ ...before, ...measured });
    await cache?.write(inOrder({ ...kept, ...measured }));
    return pick(plan, result);
  });
}

/** Measures these groups, one after the other. */
async function measureGroups(
  device: Device,
  plan: CharacterizePlan,
  wanted: readonly CharacteristicsGroup[],
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
      around: {
        now: seconds,
        breathe: () => breathe(plan.signal),
        onTurn: (name, done, of) =>
          plan.onProgress?.({ group, name, fraction: (finished + (done / of) * 0.999) / wanted.length }),
      },
      maxBytes: fitting(device, plan.maxBytes),
      deviceBytes: fitting(device, plan.maxBytes * (bench.isCpu ? 1 : 4)),
    };
    for (group of wanted) {
      const measuredAt = new Date().toISOString();
      const start = seconds();
      const figures: Figures<NonNullable<Characteristics[typeof group]>> = await measurements[group](measuring);
      result[group] = { measuredAt, seconds: seconds() - start, ...figures };
      finished++;
      plan.onProgress?.({ group, name: group, fraction: finished / wanted.length });
      await breathe(plan.signal);
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

/** A power of two of bytes of which the device easily holds several. */
function fitting(device: Device, bytes: number): number {
  const most = Math.min(bytes, device.maxMemAllocSize / 2, device.globalMemSize / 8);
  return 2 ** Math.floor(Math.log2(Math.max(2 ** 16, most)));
}

function missing(plan: CharacterizePlan, known: Characteristics | undefined): readonly CharacteristicsGroup[] {
  return plan.wanted.filter((group) => known?.[group] === undefined);
}

/** What was asked for, and no more. */
function pick(plan: CharacterizePlan, from: Characteristics): Characteristics {
  return inOrder(from, plan.wanted);
}

function inOrder(from: Characteristics, wanted: readonly CharacteristicsGroup[] = groups): Characteristics {
  const { format, device, quick } = from;
  const chosen = wanted.filter((group) => from[group] !== undefined).map((group) => [group, from[group]]);
  const banks = wanted.includes("localMemory") ? from.localMemory?.banks : undefined;
  const counted = banks?.observable === true ? { localMemoryBankCount: banks.count } : {};
  return { format, device, quick, ...counted, ...Object.fromEntries(chosen) } as Characteristics;
}
