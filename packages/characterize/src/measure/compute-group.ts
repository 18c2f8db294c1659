/** Measures arithmetic with several multiply-add kernels per number type. */
import type { Kernel } from "@cl/core";

import type { ComputeCharacteristics, ComputeEntry, ComputeType } from "./characteristics.js";
import { computeForms, computeSource } from "./kernels/compute.js";
import { type Figures, measure, type Measuring } from "./measuring.js";
import type { Probe } from "./sampler.js";

interface ComputeProbe extends Probe, Omit<ComputeEntry, "rate"> {
  readonly operations: number;
}

export async function measureCompute(measuring: Measuring): Promise<Figures<ComputeCharacteristics>> {
  const { bench, quick } = measuring;
  const { device, queue } = bench;
  const extensions: Partial<Record<ComputeType, string>> = { double: "cl_khr_fp64", half: "cl_khr_fp16" };
  const notes: string[] = [];
  const probes: ComputeProbe[] = [];
  // Enough work-groups to hide the last ones, but few enough that slow variants do not take long.
  const groups = device.maxComputeUnits * (bench.isCpu ? 16 : 256);
  const out = bench.buffer(groups * 256 * 8);
  for (const type of ["float", "double", "half", "int"] as const) {
    const extension = extensions[type];
    if (extension !== undefined && !device.hasExtension(extension)) {
      notes.push(`${type}: the device lacks ${extension}`);
      continue;
    }
    const program = await bench.program(computeSource(type));
    const forms = computeForms(type).filter(
      ({ width, chains }) => !quick || width === 1 || width === (chains === 1 ? 16 : 8),
    );
    for (const { width, chains, kernel: name, operations } of forms) {
      const kernel: Kernel = bench.own(program.kernel(name));
      const local = bench.groupSize(kernel, 256);
      const global = local * groups;
      const bound = bench.own(kernel.bind({ global, local }, out, 1.3));
      const run = (count: number): Promise<number> => bench.timed(queue, count, () => bound.launch(queue));
      probes.push({ name, type, width, chains, operations: operations * global, run });
    }
  }
  const outcome = await measure(measuring, probes);
  const entries = probes.flatMap((probe): ComputeEntry[] => {
    const { type, width, chains } = probe;
    const rate = outcome.rate(probe, probe.operations, type === "int" ? "op/s" : "flop/s");
    return rate === undefined ? [] : [{ type, width, chains, rate }];
  });
  return { entries, notes: [...notes, ...outcome.notes] };
}
