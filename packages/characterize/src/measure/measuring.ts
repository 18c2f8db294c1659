/** What a group of measurements is given, and what it hands back. */
import type { BenchDevice } from "./bench-device.js";
import type { GroupFacts } from "./characteristics.js";
import type { Quantity, Unit } from "./quantity.js";
import { quantityOf, rateOf } from "./quantity.js";
import { type Probe, sampleAll, type SamplingPlan, type Surroundings } from "./sampler.js";

/** What a group measures with. */
export interface Measuring {
  readonly bench: BenchDevice;
  readonly plan: SamplingPlan;
  readonly around: Surroundings;
  readonly quick: boolean;
  /** Bytes of the largest transfer, and of the host's memory beside it: a power of two. */
  readonly maxBytes: number;
  /** Bytes of a buffer that the device alone uses: a power of two. */
  readonly deviceBytes: number;
}

/** A group's figures, without when and how long; the notes are those of its own. */
export type Figures<T extends GroupFacts> = Omit<T, "measuredAt" | "seconds">;

/** What came of some probes. */
export interface Outcome<P extends Probe> {
  readonly notes: readonly string[];
  /** The seconds of one repetition. */
  time(probe: P | undefined): Quantity | undefined;
  /** How many units of work a second, where one repetition does `work` of them. */
  rate(probe: P | undefined, work: number, unit: Unit): Quantity | undefined;
}

/** Samples probes. */
export async function measure<P extends Probe>(measuring: Measuring, probes: readonly P[]): Promise<Outcome<P>> {
  const { taken, refused } = await sampleAll(probes, measuring.plan, measuring.around);
  const samplesOf = (probe: P | undefined): readonly number[] | undefined => (probe ? taken.get(probe) : undefined);
  return {
    notes: refused,
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

/** The properties that are there. */
export function present<T extends object>(values: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
