/**
 * Successive halving: all candidates run a few times, the slower half drops out, those that are left run twice as often, and
 * so on. So most of the time goes into telling apart what is nearly the same.
 *
 * In each round the candidates take turns, and each pass begins with another one: a clock that drifts slows down all of them.
 */

/** How a candidate stands. */
export interface Standing {
  /** Its place in the list that was given. */
  readonly index: number;
  /** Nanoseconds of each of its runs. */
  readonly samples: readonly number[];
  readonly rounds: number;
  /** Why it could not go on. */
  readonly reason: string | undefined;
}

/** What halving needs of the world around it. Tests have a clock of their own. */
export interface Track {
  /** Runs these candidates once, one after the other, and tells the nanoseconds of each, or why it could not run. */
  run(order: readonly number[]): Promise<readonly (number | string)[]>;
  /** Told before each round. */
  onRound?(round: number, rounds: number, candidates: number): void;
}

/** How long. */
export interface HalvingPlan {
  /** Of all rounds together, about. */
  readonly seconds: number;
  /** The candidate that stays to the end, however slow it is, if there is one: what the others have to beat. */
  readonly baseline: number | undefined;
}

/** Finds the fastest of `count` candidates. All of them come back, the best first; those that could not run last. */
export async function successiveHalving(
  count: number,
  track: Track,
  { seconds, baseline }: HalvingPlan,
): Promise<readonly Standing[]> {
  const field = new Field(count);
  // The first run compiles, touches memory and wakes the device.
  field.take(await track.run(field.alive), false);
  const rounds = Math.ceil(Math.log2(Math.max(2, count))) + 1;
  const nanoseconds = (seconds * 1e9) / rounds;
  for (let round = 0; field.alive.length > (round === 0 ? 0 : 1); round++) {
    track.onRound?.(round + 1, Math.max(rounds, round + 1), field.alive.length);
    let passes = 1;
    field.enterRound();
    for (let pass = 0; pass < passes && field.alive.length > 0; pass++) {
      field.turn(pass + round);
      field.take(await track.run(field.alive), true);
      if (pass > 0) continue;
      if (round === 0) field.dropSlow(baseline);
      passes = passesOf(round, field.latest(), nanoseconds);
    }
    if (!field.halve(baseline)) break;
  }
  return field.ranked();
}

/** More passes for short kernels, whose times scatter more, and fewer where they would take too long. */
function passesOf(round: number, times: readonly number[], nanoseconds: number): number {
  const fastest = Math.max(1, Math.min(...times));
  const sum = Math.max(
    1,
    times.reduce((all, time) => all + time, 0),
  );
  const wanted = Math.max(FIRST_PASSES * 2 ** round, Math.min(MOST_PASSES, Math.ceil(ENOUGH / fastest)));
  return Math.max(1, Math.min(wanted, MOST_PASSES, Math.floor(nanoseconds / sum)));
}

const FIRST_PASSES = 3;
const MOST_PASSES = 48;
/** Nanoseconds of one candidate in a round after which its median is hardly chance. */
const ENOUGH = 2e6;
/** What is so many times as slow as the best in its first run is not run again. */
const HOPELESS = 8;
/** Nanoseconds that no device's clock can tell apart. */
const TICK = 1000;

class Field {
  /** Those that are still in it, in the order of the next pass. */
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

  /** Lets another one begin. */
  turn(by: number): void {
    const sorted = this.alive.toSorted((a, b) => a - b);
    const start = by % sorted.length;
    this.alive = [...sorted.slice(start), ...sorted.slice(0, start)];
  }

  /** What a pass over all of {@link alive} gave. */
  take(results: readonly (number | string)[], counts: boolean): void {
    this.alive = this.alive.filter((index, i) => {
      const result = results[i];
      if (typeof result !== "number") {
        this.#reasons[index] = result ?? "it did not run";
        return false;
      }
      if (counts) this.#samples[index]?.push(result);
      return true;
    });
  }

  /** The last time of each. */
  latest(): readonly number[] {
    return this.alive.map((index) => this.#samples[index]?.at(-1) ?? 0);
  }

  dropSlow(baseline: number | undefined): void {
    const most = HOPELESS * Math.max(TICK, Math.min(...this.latest()));
    this.alive = this.alive.filter((index) => index === baseline || (this.#samples[index]?.at(-1) ?? 0) <= most);
  }

  /** Keeps the faster half; false if there is nothing left to halve. */
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

  /** The last ones left, then those that dropped out later before those that did earlier. */
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

/** Infinite ones are the same, and their difference is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The middle one, or the mean of the two middle ones; infinite for none. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) return Infinity;
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}
