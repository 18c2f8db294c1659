/**
 * Takes samples in rounds, in each of which every probe runs once.
 *
 * The clock frequency of a machine varies by more than most differences of interest. So the probes are interleaved,
 * each round starts with a different probe, and the result is the median of the rounds. The number of repetitions per
 * sample is determined by trial, after a first run that compiles the kernels and touches the memory.
 */
import { OpenCLError } from "@cl/core";

/** A measurement. */
export interface Probe {
  readonly name: string;
  /** Repeats the work `count` times and returns the total seconds. */
  run(count: number): number | Promise<number>;
  /** Maximum number of repetitions per sample, for work that takes memory. @defaultValue 1_000_000 */
  readonly maxCount?: number;
}

/** Number and duration of samples. */
export interface SamplingPlan {
  readonly rounds: number;
  /** Duration of one sample in seconds. */
  readonly turn: number;
}

/** Clock and callbacks of the sampler. Tests replace the clock. */
export interface SamplerEnvironment {
  /** Returns the time in seconds. */
  now(): number;
  /** Waits for one iteration of the event loop. Throws if the measurement has been aborted. */
  yieldToEventLoop(): Promise<void>;
  /** Called after each sample. */
  onTurn?(name: string, done: number, of: number): void;
}

export interface Samples<P extends Probe> {
  /** Seconds per repetition by probe. */
  readonly samples: ReadonlyMap<P, readonly number[]>;
  /** `name: reason` of each failed probe. */
  readonly failures: readonly string[];
}

/** Samples all probes. Probes that fail are reported in `failures`. Throws the first error if all probes fail. */
export async function sampleAll<P extends Probe>(
  probes: readonly P[],
  plan: SamplingPlan,
  environment: SamplerEnvironment,
): Promise<Samples<P>> {
  const turns = probes.length * (plan.rounds + 1);
  const samples = new Map<P, number[]>();
  const counts = new Map<P, number>();
  const failures: string[] = [];
  let done = 0;
  let firstError: OpenCLError | undefined;
  const reportProgress = (name: string): void => environment.onTurn?.(name, ++done, turns);
  const fail = (probe: P, error: unknown): void => {
    if (!(error instanceof OpenCLError)) throw error;
    firstError ??= error;
    failures.push(`${probe.name}: ${error.message.split("\n", 1)[0]}`);
    samples.delete(probe);
    counts.delete(probe);
  };

  for (const probe of probes) {
    try {
      counts.set(probe, await countFor(probe, plan.turn, environment));
      samples.set(probe, []);
    } catch (error) {
      fail(probe, error);
    }
    reportProgress(probe.name);
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (let i = 0; i < probes.length; i++) {
      const probe = probes[(i + round) % probes.length] as P;
      const count = counts.get(probe);
      if (count !== undefined) {
        try {
          const seconds = (await probe.run(count)) / count;
          // A sample is useless if the clock did not advance.
          if (seconds > 0) samples.get(probe)?.push(seconds);
        } catch (error) {
          fail(probe, error);
        }
        await environment.yieldToEventLoop();
      }
      reportProgress(probe.name);
    }
  }
  for (const [probe, { length }] of samples) {
    if (length > 0) continue;
    samples.delete(probe);
    failures.push(`${probe.name}: too short for the resolution of the clock`);
  }
  if (probes.length > 0 && samples.size === 0 && firstError !== undefined) throw firstError;
  return { samples, failures };
}

/**
 * Returns the number of repetitions that fill a sample. The first run is ignored, since it compiles, allocates and
 * wakes threads. Then the count grows by a factor of 2 to 10 until a run takes at least half of the sample duration.
 */
async function countFor(probe: Probe, turn: number, environment: SamplerEnvironment): Promise<number> {
  const maxCount = probe.maxCount ?? DEFAULT_MAX_COUNT;
  await probe.run(1);
  await environment.yieldToEventLoop();
  let count = 1;
  for (;;) {
    const start = environment.now();
    await probe.run(count);
    const elapsed = environment.now() - start;
    await environment.yieldToEventLoop();
    const fitting = Math.floor((count * turn) / elapsed);
    if (elapsed >= turn / 2 || count >= maxCount) return Math.max(1, Math.min(maxCount, fitting, count * 2));
    const next = elapsed > 0 ? Math.min(count * 10, Math.max(count * 2, fitting)) : count * 5;
    count = Math.min(maxCount, next);
  }
}

const DEFAULT_MAX_COUNT = 1_000_000;
