/** Input and output of measurement groups. */
import type { BenchDevice } from "./bench-device.js";
import type { GroupFacts } from "./characteristics.js";
import type { Quantity, Unit } from "./quantity.js";
import { quantityOf, rateOf } from "./quantity.js";
import { type Probe, sampleAll, type SamplingPlan, type SamplerEnvironment } from "./sampler.js";

/** Input of a measurement group. */
export interface Measuring {
  readonly bench: BenchDevice;
  readonly plan: SamplingPlan;
  readonly environment: SamplerEnvironment;
  readonly quick: boolean;
  /** Size of the largest transfer and of the host memory for it in bytes, a power of two. */
  readonly maxBytes: number;
  /** Size of buffers that only the device uses in bytes, a power of two. */
  readonly deviceBytes: number;
}

/** Results of a group without the time and duration of the measurement. */
export type Figures<T extends GroupFacts> = Omit<T, "measuredAt" | "seconds">;

/** Results of some probes. */
export interface Outcome<P extends Probe> {
  readonly notes: readonly string[];
  /** Returns the seconds per repetition. */
  time(probe: P | undefined): Quantity | undefined;
  /** Returns the units of work per second, where one repetition does `work` units. */
  rate(probe: P | undefined, work: number, unit: Unit): Quantity | undefined;
}

/** Samples probes. */
export async function measure<P extends Probe>(measuring: Measuring, probes: readonly P[]): Promise<Outcome<P>> {
  const { samples: allSamples, failures } = await sampleAll(probes, measuring.plan, measuring.environment);
  const samplesOf = (probe: P | undefined): readonly number[] | undefined =>
    probe ? allSamples.get(probe) : undefined;
  return {
    notes: failures,
    time(probe) {
      const samples = samplesOf(probe);
      return samples && quantityOf(samples, "s");
    },
    rate(probe, work, unit) {
      const samples = samplesOf(probe);
      return samples && rateOf(samples, work, unit);
    },
  };
}
