import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { median, successiveHalving, type Standing, type Track } from "../../src/tune/halving.js";

/** A simulated clock: candidate i takes `times[i]` nanoseconds plus noise. */
class FakeTrack implements Track {
  readonly runs: number[];
  readonly orders: (readonly number[])[] = [];
  readonly rounds: [round: number, rounds: number, candidates: number][] = [];
  readonly #times: readonly (number | string)[];
  readonly #noise: (run: number) => number;

  constructor(times: readonly (number | string)[], noise: (run: number) => number = () => 0) {
    this.#times = times;
    this.#noise = noise;
    this.runs = times.map(() => 0);
  }

  async run(order: readonly number[]): Promise<readonly (number | string)[]> {
    this.orders.push(order);
    await Promise.resolve();
    return order.map((index) => {
      const time = this.#times[index] as number | string;
      const run = (this.runs[index] as number)++;
      return typeof time === "string" ? time : time * (1 + this.#noise(run));
    });
  }

  onRound(round: number, rounds: number, candidates: number): void {
    this.rounds.push([round, rounds, candidates]);
  }
}

const plan = { seconds: 5, baseline: undefined };
const order = (standings: readonly Standing[]): readonly number[] => standings.map(({ index }) => index);

describe("successive halving", () => {
  test("finds the fastest candidate, runs it most, and ranks candidates by surviving rounds", async () => {
    const times = [8e5, 3e5, 1e5, 6e5, 2e5, 5e5, 7e5, 4e5];
    const track = new FakeTrack(times);
    const standings = await successiveHalving(times.length, track, plan);
    expect(order(standings)).toEqual([2, 4, 1, 7, 5, 3, 6, 0]);
    expect(standings.map(({ rounds }) => rounds)).toEqual([3, 3, 2, 2, 1, 1, 1, 1]);
    expect(track.rounds.map(([, , candidates]) => candidates)).toEqual([8, 4, 2]);
    expect(Math.max(...track.runs)).toBe(track.runs[2]);
    expect(standings[0]?.samples.every((sample) => sample === 1e5)).toBe(true);
  });

  test("is not misled by clock drift", async () => {
    // Each run is slower than the previous one; candidates differ by less than the drift.
    const times = [1.02e6, 1e6, 1.04e6, 1.03e6];
    const standings = await successiveHalving(4, new FakeTrack(times, (run) => run * 0.05), plan);
    expect(standings[0]?.index).toBe(1);
  });

  test("excludes failing candidates, with the reason", async () => {
    const standings = await successiveHalving(3, new FakeTrack(["no memory", 2e5, 1e5]), plan);
    expect(order(standings)).toEqual([2, 1, 0]);
    expect(standings[2]).toEqual({ index: 0, samples: [], rounds: 0, reason: "no memory" });
    const all = await successiveHalving(2, new FakeTrack(["a", "b"]), plan);
    expect(all.map(({ reason }) => reason)).toEqual(["a", "b"]);
  });

  test("never drops a slow baseline, and prefers it to candidates that are not faster", async () => {
    const track = new FakeTrack([9e6, 1e5, 2e5, 3e5, 4e5]);
    const standings = await successiveHalving(5, track, { seconds: 5, baseline: 0 });
    expect(standings[0]?.index).toBe(1);
    expect(standings.find(({ index }) => index === 0)?.rounds).toBe(standings[0]?.rounds);
    const same = await successiveHalving(3, new FakeTrack([1e5, 1e5, 1e5]), { seconds: 5, baseline: 0 });
    expect(same[0]?.index).toBe(0);
  });

  test("measures a very slow candidate only once", async () => {
    const track = new FakeTrack([1e5, 1e8]);
    await successiveHalving(2, track, plan);
    expect(track.runs[1]).toBe(2);
  });

  test("stays within its time, except for one run of each candidate per round", async () => {
    const times = Array.from({ length: 16 }, (_, i) => 1e9 + i);
    const track = new FakeTrack(times);
    await successiveHalving(16, track, { seconds: 1, baseline: undefined });
    expect(track.runs.reduce((all, runs) => all + runs, 0)).toBe(16 + 16 + 8 + 4 + 2);
  });

  test("is deterministic, and finds the fastest unless differences are small", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 24 }),
        fc.nat(),
        async (steps, seed) => {
          const times = steps.map((step) => step * 1e5);
          const noise = (run: number): number => (((run * 7919 + seed) % 100) - 50) / 1e5;
          const once = await successiveHalving(times.length, new FakeTrack(times, noise), plan);
          const again = await successiveHalving(times.length, new FakeTrack(times, noise), plan);
          expect(again).toEqual(once);
          expect(once[0]?.index).toBe(times.indexOf(Math.min(...times)));
          expect(order(once).toSorted((a, b) => a - b)).toEqual([...times.keys()]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test("the median of an even number of samples is the mean of the middle two", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([])).toBe(Infinity);
});
