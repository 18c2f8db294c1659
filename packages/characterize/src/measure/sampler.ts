/**
 * How samples are taken: in rounds, in each of which every probe has its turn.
 *
 * A machine's clock moves by more than most differences that matter. So probes that will be compared take turns, each
 * round begins with another one, and what is told is the median of the rounds. How often a probe repeats its work in one
 * turn is found by trying, after a first run that compiles and touches memory.
 */
import { OpenCLError } from "@cl/core";

/** One thing to measure. */
export interface Probe {
  readonly name: string;
  /** Does the work so often; answers the seconds that count, all together. */
  run(count: number): number | Promise<number>;
  /** Most repetitions in a turn: for what takes memory with each. */
  readonly most?: number;
}

/** How long and how often. */
export interface SamplingPlan {
  readonly rounds: number;
  /** Seconds of one turn. */
  readonly turn: number;
}

/** What the sampler needs of the world around it. Tests have a clock of their own. */
export interface Surroundings {
  /** Seconds. */
  now(): number;
  /** Lets the event loop turn; throws if somebody wants no more. */
  breathe(): Promise<void>;
  /** Told after each turn. */
  onTurn?(name: string, done: number, of: number): void;
}

/** Seconds per repetition, by probe, and what could not be measured. */
export interface Samples<P extends Probe> {
  readonly taken: ReadonlyMap<P, readonly number[]>;
  /** `name: reason` of each probe that the device refused. */
  readonly refused: readonly string[];
}

/** Samples all probes. What the device refuses is left out and named; if it refuses everything, that is an error. */
export async function sampleAll<P extends Probe>(
  probes: readonly P[],
  plan: SamplingPlan,
  around: Surroundings,
): Promise<Samples<P>> {
  const turns = probes.length * (plan.rounds + 1);
  const samples = new Map<P, number[]>();
  const counts = new Map<P, number>();
  const refused: string[] = [];
  let done = 0;
  let first: OpenCLError | undefined;
  const told = (name: string): void => around.onTurn?.(name, ++done, turns);
  const refuse = (probe: P, error: unknown): void => {
    if (!(error instanceof OpenCLError)) throw error;
    first ??= error;
    refused.push(`${probe.name}: ${error.message.split("\n", 1)[0]}`);
    samples.delete(probe);
    counts.delete(probe);
  };

  for (const probe of probes) {
    try {
      counts.set(probe, await countFor(probe, plan.turn, around));
      samples.set(probe, []);
    } catch (error) {
      refuse(probe, error);
    }
    told(probe.name);
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (let i = 0; i < probes.length; i++) {
      const probe = probes[(i + round) % probes.length] as P;
      const count = counts.get(probe);
      if (count !== undefined) {
        try {
          const seconds = (await probe.run(count)) / count;
          // A clock that did not move between two readings tells nothing.
          if (seconds > 0) samples.get(probe)?.push(seconds);
        } catch (error) {
          refuse(probe, error);
        }
        await around.breathe();
      }
      told(probe.name);
    }
  }
  for (const [probe, taken] of samples) {
    if (taken.length > 0) continue;
    samples.delete(probe);
    refused.push(`${probe.name}: shorter than the clock can tell`);
  }
  if (probes.length > 0 && samples.size === 0 && first !== undefined) throw first;
  return { taken: samples, refused };
}

/**
 * How many repetitions fill a turn. The first run is not looked at: it compiles, allocates and wakes. Then the number
 * grows at least twofold and at most tenfold, until a run takes half a turn or more.
 */
async function countFor(probe: Probe, turn: number, around: Surroundings): Promise<number> {
  const most = probe.most ?? MOST;
  await probe.run(1);
  await around.breathe();
  let count = 1;
  for (;;) {
    const start = around.now();
    await probe.run(count);
    const elapsed = around.now() - start;
    await around.breathe();
    const fitting = Math.floor((count * turn) / elapsed);
    if (elapsed >= turn / 2 || count >= most) return Math.max(1, Math.min(most, fitting, count * 2));
    const next = elapsed > 0 ? Math.min(count * 10, Math.max(count * 2, fitting)) : count * 5;
    count = Math.min(most, next);
  }
}

const MOST = 1_000_000;
