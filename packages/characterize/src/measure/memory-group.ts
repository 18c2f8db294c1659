/** Measures global memory with kernels that access more memory than the caches hold. */
import type { Kernel } from "@cl/core";

import type { BandwidthEntry, GlobalMemoryCharacteristics } from "./characteristics.js";
import { globalMemorySource, memoryWidths, readsPerItem } from "./kernels/global-memory.js";
import { type Figures, measure, type Measuring } from "./measuring.js";
import type { Probe } from "./sampler.js";

interface MemoryProbe extends Probe, Omit<BandwidthEntry, "rate"> {
  readonly bytes: number;
}

export async function measureGlobalMemory(measuring: Measuring): Promise<Figures<GlobalMemoryCharacteristics>> {
  const { bench, quick, deviceBytes: bytes } = measuring;
  const program = await bench.program(globalMemorySource());
  const [from, to] = [bench.buffer(bytes), bench.buffer(bytes)];
  try {
    const { queue } = bench;
    for (const buffer of [from, to]) queue.enqueueFill(buffer, Float32Array.of(1)).release();
    await bench.finish(queue);

    const probe = (
      operation: BandwidthEntry["operation"],
      pattern: BandwidthEntry["pattern"],
      width: number,
    ): MemoryProbe => {
      const name = pattern === "single" ? `${operation}_${width}` : `${operation}_${pattern}_${width}`;
      const kernel: Kernel = bench.own(program.kernel(name));
      const items = bytes / 4 / width / (operation === "read" ? readsPerItem : 1);
      const sizes = { global: items, local: bench.groupSize(kernel, 256) };
      const args = { read: [from, to], write: [to, 1], copy: [to, from] }[operation];
      const bound = bench.own(kernel.bind(sizes, ...args));
      const run = (count: number): Promise<number> => bench.timed(queue, count, () => bound.launch(queue));
      // The sums that read kernels write are a small part of the traffic and not counted.
      return { name, operation, pattern, width, bytes: operation === "copy" ? 2 * bytes : bytes, run };
    };
    const widths = quick ? [1, 4, 16] : memoryWidths;
    const probes = [
      ...widths.flatMap((width) => [probe("read", "group", width), probe("read", "range", width)]),
      ...[1, 4, 16].flatMap((width) => [probe("write", "single", width), probe("copy", "single", width)]),
    ];
    const outcome = await measure(measuring, probes);
    const entries = probes.flatMap((probe): BandwidthEntry[] => {
      const { operation, pattern, width } = probe;
      const rate = outcome.rate(probe, probe.bytes, "B/s");
      return rate === undefined ? [] : [{ operation, pattern, width, rate }];
    });
    return { bytes, entries, notes: outcome.notes };
  } finally {
    from.release();
    to.release();
  }
}
