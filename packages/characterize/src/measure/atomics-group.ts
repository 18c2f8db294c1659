/** Measures atomic additions with and without contention. */
import type { Kernel } from "@cl/core";

import type { AtomicEntry, AtomicsCharacteristics } from "./characteristics.js";
import { atomicsSource, increments } from "./kernels/atomics.js";
import { type Figures, measure, type Measuring } from "./measuring.js";

export async function measureAtomics(measuring: Measuring): Promise<Figures<AtomicsCharacteristics>> {
  const { bench } = measuring;
  const { device, queue } = bench;
  const maxGroupSize = Math.min(256, device.maxWorkGroupSize, Math.max(1, device.localMemSize / 8));
  const groupSize = 2 ** Math.floor(Math.log2(maxGroupSize));
  const program = await bench.program(atomicsSource(groupSize));
  const items = groupSize * device.maxComputeUnits * (bench.isCpu ? 4 : 16);
  const counters = bench.buffer(items * 4);
  queue.enqueueFill(counters, Int32Array.of(0)).release();
  const kinds = [
    { memory: "global", target: "one" },
    { memory: "global", target: "own" },
    { memory: "local", target: "one" },
    { memory: "local", target: "own" },
  ] as const;
  const probes = kinds.map(({ memory, target }) => {
    const name = `${memory}_${target}`;
    const kernel: Kernel = bench.own(program.kernel(name));
    const bound = bench.own(kernel.bind({ global: items, local: groupSize }, counters));
    const run = (count: number): Promise<number> => bench.timed(queue, count, () => bound.launch(queue));
    return { name, memory, target, run };
  });
  const outcome = await measure(measuring, probes);
  const entries = probes.flatMap((probe): AtomicEntry[] => {
    const rate = outcome.rate(probe, items * increments, "op/s");
    return rate === undefined ? [] : [{ memory: probe.memory, target: probe.target, rate }];
  });
  return { entries, notes: outcome.notes };
}
