/**
 * Successive halving: all candidates run a few times, the slower half drops out, the rest run twice as often, and so on. So
 * most of the time is spent on distinguishing similar candidates.
 *
 * In each round the candidates take turns, and each pass starts with a different one, so that clock drift affects all equally.
 */

/** Result of a candidate. */
export interface Standing {
  /** Index in the list of candidates. */
  readonly index: number;
  /** Times of its runs in nanoseconds. */
  readonly samples: readonly number[];
  readonly rounds: number;
  /** Why it failed. */
  readonly reason: string | undefined;
}

/** Runs candidates. Tests use their own clock. */
export interface Track {
  /** Runs candidates once, in sequence. Returns nanoseconds, or why a candidate could not run. */
  run(order: readonly number[]): Promise<readonly (number | string)[]>;
  /** Called before each round. */
  onRound?(round: number, rounds: number, candidates: number): void;
}

/** Limits of the measurement. */
export interface HalvingPlan {
  /** Approximate time of all rounds. */
  readonly seconds: number;
  /** Candidate that stays to the end, however slow it is: the one to beat. */
  readonly baseline: number | undefined;
}

/** Finds the fastest of `count` candidates. Returns all of them, best first, failed ones last. */
export async function successiveHalving(
  count: number,
  track: Track,
  { seconds, baseline }: HalvingPlan,
): Promise<readonly Standing[]> {
  const candidates = new Candidates(count);
  // The warm-up run compiles, touches memory and wakes the device.
  candidates.addResults(await track.run(candidates.alive), false);
  const rounds = Math.ceil(Math.log2(Math.max(2, count))) + 1;
  const nanoseconds = (seconds * 1e9) / rounds;
  for (let round = 0; candidates.alive.length > (round === 0 ? 0 : 1); round++) {
    track.onRound?.(round + 1, Math.max(rounds, round + 1), candidates.alive.length);
    let passes = 1;
    candidates.enterRound();
    for (let pass = 0; pass < passes && candidates.alive.length > 0; pass++) {
      candidates.rotate(pass + round);
      candidates.addResults(await track.run(candidates.alive), true);
      if (pass > 0) continue;
      if (round === 0) candidates.dropSlow(baseline);
      passes = passesOf(round, candidates.latest(), nanoseconds);
    }
    if (!candidates.halve(baseline)) break;
  }
  return candidates.ranked();
}

/** Returns the number of passes: more for short kernels, whose times scatter more, and fewer for slow ones. */
function passesOf(round: number, times: readonly number[], nanoseconds: number): number {
  const fastest = Math.max(1, Math.min(...times));
  const sum = Math.max(
    1,
    times.reduce((all, time) => all + time, 0),
  );
  const wanted = Math.max(FIRST_PASSES * 2 ** round, Math.min(MOST_PASSES, Math.ceil(RELIABLE_NS / fastest)));
  return Math.max(1, Math.min(wanted, MOST_PASSES, Math.floor(nanoseconds / sum)));
}

const FIRST_PASSES = 3;
const MOST_PASSES = 48;
/** Nanoseconds per candidate and round after which the median is reliable. */
const RELIABLE_NS = 2e6;
/** Candidates that are this many times slower than the best in their first run are dropped. */
const MAX_SLOWDOWN = 8;
/** Resolution of device clocks in nanoseconds. */
const CLOCK_RESOLUTION_NS = 1000;

class Candidates {
  /** Remaining candidates, in the order of the next pass. */
  alive: number[];
  readonly #samples: number[][];
  readonly #rounds: number[];
  readonly #reasons: (string | undefined)[];

  constructor(count: number) {
    this.alive = Array.from({ length: count }, (_, index) => index);
    this.#samples = this.alive.map(() => []);
    this.#rounds = this.alive.map(() => 0);
    this.#reasons = this.alive.map(() => undefined);
  }

  enterRound(): void {
    for (const index of this.alive) (this.#rounds[index] as number)++;
  }

  /** Rotates the order, so that another candidate starts. */
  rotate(by: number): void {
    const sorted = this.alive.toSorted((a, b) => a - b);
    const start = by % sorted.length;
    this.alive = [...sorted.slice(start), ...sorted.slice(0, start)];
  }

  /** Stores the results of a pass over {@link alive}. */
  addResults(results: readonly (number | string)[], counts: boolean): void {
    this.alive = this.alive.filter((index, i) => {
      const result = results[i];
      if (typeof result !== "number") {
        this.#reasons[index] = result ?? "did not run";
        return false;
      }
      if (counts) this.#samples[index]?.push(result);
      return true;
    });
  }

  /** Last time of each remaining candidate. */
  latest(): readonly number[] {
    return this.alive.map((index) => this.#samples[index]?.at(-1) ?? 0);
  }

  dropSlow(baseline: number | undefined): void {
    const limit = MAX_SLOWDOWN * Math.max(CLOCK_RESOLUTION_NS, Math.min(...this.latest()));
    this.alive = this.alive.filter((index) => index === baseline || (this.#samples[index]?.at(-1) ?? 0) <= limit);
  }

  /** Keeps the faster half. Returns false if there is nothing to halve. */
  halve(baseline: number | undefined): boolean {
    const sorted = this.alive.toSorted((a, b) => compare(this.#median(a), this.#median(b)) || a - b);
    const kept = sorted.slice(0, Math.ceil(sorted.length / 2));
    if (baseline !== undefined && this.alive.includes(baseline) && !kept.includes(baseline)) kept.push(baseline);
    const fewer = kept.length < this.alive.length;
    this.alive = kept;
    return fewer;
  }

  #median(index: number): number {
    return median(this.#samples[index] ?? []);
  }

  /** Returns the remaining candidates, then those that dropped out, latest first. */
  ranked(): readonly Standing[] {
    const last = new Set(this.alive);
    const rank = (index: number): number => {
      if (this.#reasons[index] !== undefined) return 2;
      return last.has(index) ? 0 : 1;
    };
    const order = [...this.#samples.keys()].toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        (rank(a) === 0 ? 0 : (this.#rounds[b] as number) - (this.#rounds[a] as number)) ||
        compare(this.#median(a), this.#median(b)) ||
        a - b,
    );
    return order.map((index) => ({
      index,
      samples: this.#samples[index] as number[],
      rounds: this.#rounds[index] as number,
      reason: this.#reasons[index],
    }));
  }
}

/** Compares numbers. Equal infinities compare as 0, where their difference is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Returns the median; Infinity if there are no samples. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) return Infinity;
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}
