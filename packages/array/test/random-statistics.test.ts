/**
 * Statistical tests of random numbers: moments, Kolmogorov-Smirnov, serial and cross-stream correlation, chi-square.
 * The seeds are fixed, plus a fresh one; the limits fail by chance once in some million runs.
 */
import type { RandomGenerator } from "@cl/array";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, xp } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { testsEveryCase } from "@cl/testing/level";

const everyCase = testsEveryCase(import.meta.url);

const fresh = untriedSeed();
const seeds = { philox: [1, fresh], threefry: everyCase ? [1, fresh] : [1] };
const more = everyCase ? [2, 3, 4, 5, 6, 7, 8] : [];
const cases = (["philox", "threefry"] as const).flatMap((generator) =>
  [...seeds[generator], ...more].map((seed) => ({ generator, seed })),
);
const count = 100_000;

/** Tolerance of means, variances and other sums, in standard deviations. */
const sigmas = 5.5;

interface Moments {
  readonly mean: number;
  readonly variance: number;
  /** The fourth central moment. */
  readonly fourth: number;
}

function momentsOf(values: ArrayLike<number>): Moments {
  const list = Array.from(values);
  const average = (of: (x: number) => number): number => list.reduce((sum, x) => sum + of(x), 0) / list.length;
  const mean = average((x) => x);
  return { mean, variance: average((x) => (x - mean) ** 2), fourth: average((x) => (x - mean) ** 4) };
}

/** Checks mean and variance within the tolerance for the sample size. */
function expectMoments(values: ArrayLike<number>, mean: number, variance: number): void {
  const found = momentsOf(values);
  const n = values.length;
  expect(Math.abs(found.mean - mean) / Math.sqrt(variance / n)).toBeLessThan(sigmas);
  const spread = Math.sqrt(Math.max(found.fourth - variance ** 2, 1e-300) / n);
  expect(Math.abs(found.variance - variance) / spread).toBeLessThan(sigmas);
}

/** The Kolmogorov-Smirnov distance times the square root of the sample size. */
function distanceFrom(values: Float32Array | Float64Array, distribution: (x: number) => number): number {
  const sorted = values.toSorted();
  let worst = 0;
  for (const [i, x] of sorted.entries()) {
    const expected = distribution(x);
    worst = Math.max(worst, expected - i / sorted.length, (i + 1) / sorted.length - expected);
  }
  return worst * Math.sqrt(sorted.length);
}

/** The correlation of numbers at a lag, in standard deviations. */
function correlation(values: ArrayLike<number>, lag: number): number {
  const { mean, variance } = momentsOf(values);
  let sum = 0;
  for (let i = 0; i + lag < values.length; i++) {
    sum += ((values[i] as number) - mean) * ((values[i + lag] as number) - mean);
  }
  return sum / variance / Math.sqrt(values.length - lag);
}

/** Chi-square in standard deviations from its mean. */
function chiSquare(found: readonly number[], expected: readonly number[]): number {
  const sum = found.reduce(
    (total, one, i) => total + (one - (expected[i] as number)) ** 2 / (expected[i] as number),
    0,
  );
  const freedom = found.length - 1;
  // Wilson-Hilferty: with few categories chi-square is far from normal, and exceeds 6 deviations once in 700 times.
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(sum / freedom) - (1 - spread)) / Math.sqrt(spread);
}

function frequencies(values: ArrayLike<number | bigint>, kinds: number): number[] {
  const found = Array.from({ length: kinds }, () => 0);
  for (const value of Array.from(values)) found[Number(value)] = (found[Number(value)] ?? 0) + 1;
  return found;
}

/** The normal CDF: a series for small numbers and a continued fraction for others. */
function normalDistribution(x: number): number {
  if (Math.abs(x) < 3) {
    let [term, sum] = [x, x];
    for (let k = 1; Math.abs(term) > 1e-17; k++) sum += term *= (x * x) / (2 * k + 1);
    return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
  }
  let fraction = Math.abs(x);
  for (let k = 60; k > 0; k--) fraction = Math.abs(x) + k / fraction;
  const tail = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / fraction;
  return x < 0 ? tail : 1 - tail;
}

test("the reference normal distribution is correct", () => {
  for (const [x, expected] of [
    [0, 0.5],
    [1, 0.8413447460685429],
    [-2.5, 0.006209665325776132],
    [4, 0.9999683287581669],
  ] as const) {
    expect(Math.abs(normalDistribution(x) - expected)).toBeLessThan(1e-12);
  }
});

describe.each(cases)("$generator with seed $seed", ({ generator, seed }) => {
  const random = (): RandomGenerator => xp.random(seed, { generator });

  test("uniform numbers are uniform and uncorrelated", async () => {
    const values = await random().uniform([count], { dtype: "float32" }).data();
    expectMoments(values, 0.5, 1 / 12);
    expect(distanceFrom(values, (x) => x)).toBeLessThan(2.7);
    for (const lag of [1, 2, 3, 4, 8, 32, 1000]) expect(Math.abs(correlation(values, lag))).toBeLessThan(sigmas);
    const bits = frequencies(await random().bytes(count).data(), 256);
    expect(
      Math.abs(
        chiSquare(
          bits,
          bits.map(() => count / 256),
        ),
      ),
    ).toBeLessThan(sigmas + 1);
  });

  test("normal numbers are normal and uncorrelated", async () => {
    const values = await random().normal([count], { dtype: "float32" }).data();
    expectMoments(values, 0, 1);
    expect(Math.abs(momentsOf(values).fourth - 3) / Math.sqrt(96 / count)).toBeLessThan(sigmas);
    expect(distanceFrom(values, normalDistribution)).toBeLessThan(2.7);
    for (const lag of [1, 2, 3, 4, 32]) expect(Math.abs(correlation(values, lag))).toBeLessThan(sigmas);
    const squares = values.map((x) => x * x);
    expect(Math.abs(correlation(squares, 1))).toBeLessThan(sigmas);
  });

  test("exponential numbers are exponential", async () => {
    const values = await random().exponential([count], { scale: 3, dtype: "float32" }).data();
    expectMoments(values, 3, 9);
    expect(distanceFrom(values, (x) => 1 - Math.exp(-x / 3))).toBeLessThan(2.7);
  });

  test("integers are equally frequent", async () => {
    for (const kinds of [2, 7, 256, 1000]) {
      const found = frequencies(await random().integers([count], { high: kinds, dtype: "int32" }).data(), kinds);
      expect(
        Math.abs(
          chiSquare(
            found,
            found.map(() => count / kinds),
          ),
        ),
      ).toBeLessThan(sigmas + 1);
    }
  });

  test("float64, float16, integer and gamma numbers match their distributions", async (run) => {
    needs(run, hasDoubles, "the device has no float64");
    const uniform = await random().uniform([count], { low: -1, high: 3 }).data();
    expect(distanceFrom(uniform, (x) => (x + 1) / 4)).toBeLessThan(2.7);
    expect(distanceFrom(await random().normal([count]).data(), normalDistribution)).toBeLessThan(2.7);
    const halves = await random().normal([count], { dtype: "float16" }).astype("float32").data();
    expectMoments(halves, 0, 1);
    for (const lam of [0.1, 4, 9.99, 10, 12.5, 300, 1e5]) {
      expectMoments(Array.from(await random().poisson([count], { lam }).data(), Number), lam, lam);
    }
    for (const [n, p] of [
      [1, 0.5],
      [20, 0.3],
      [50, 0.9],
      [400, 0.5],
      [1e6, 0.999],
    ] as const) {
      expectMoments(Array.from(await random().binomial([count], { n, p }).data(), Number), n * p, n * p * (1 - p));
    }
    for (const shape of [0.2, 1, 1.5, 40]) {
      expectMoments(await random().gamma([count], { shape, scale: 2 }).data(), 2 * shape, 4 * shape);
    }
    expect(distanceFrom(await random().gamma([count], { shape: 1 }).data(), (x) => 1 - Math.exp(-x))).toBeLessThan(2.7);
  });

  test("poisson and binomial match their distributions", async (run) => {
    needs(run, hasDoubles, "the device has no float64");
    for (const lam of [2.5, 30]) {
      const kinds = Math.ceil(lam + 4 * Math.sqrt(lam));
      const law = Array.from({ length: kinds }, () => 0);
      for (let k = 0, p = Math.exp(-lam); k < kinds; p *= lam / ++k) law[k] = p * count;
      const found = frequencies(await random().poisson([count], { lam }).data(), kinds);
      const frequent = law.flatMap((one, k) => (one > 10 ? [k] : []));
      expect(
        Math.abs(
          chiSquare(
            frequent.map((k) => found[k] as number),
            frequent.map((k) => law[k] as number),
          ),
        ),
      ).toBeLessThan(sigmas + 1);
    }
    for (const [n, p] of [
      [10, 0.4],
      [60, 0.4],
    ] as const) {
      const law = Array.from({ length: n + 1 }, () => 0);
      for (let k = 0, q = (1 - p) ** n; k <= n; q *= ((n - k) * p) / (1 - p) / (k + 1), k++) law[k] = q * count;
      const found = frequencies(await random().binomial([count], { n, p }).data(), n + 1);
      const frequent = law.flatMap((one, k) => (one > 10 ? [k] : []));
      expect(
        Math.abs(
          chiSquare(
            frequent.map((k) => found[k] as number),
            frequent.map((k) => law[k] as number),
          ),
        ),
      ).toBeLessThan(sigmas + 1);
    }
    const p = [0.1, 0, 0.25, 0.65];
    const chosen = frequencies(await random().choice(4, [count], { p }).data(), 4);
    expect(chosen[1]).toBe(0);
    const possible = [0, 2, 3];
    const found = possible.map((k) => chosen[k] as number);
    expect(
      Math.abs(
        chiSquare(
          found,
          possible.map((k) => (p[k] as number) * count),
        ),
      ),
    ).toBeLessThan(2 * sigmas);
  });

  test("lognormal and beta numbers match their distributions", async (run) => {
    const lognormal = await random().lognormal([count], { mean: 1, sigma: 0.5, dtype: "float32" }).data();
    expect(distanceFrom(lognormal, (x) => normalDistribution((Math.log(x) - 1) / 0.5))).toBeLessThan(2.7);
    needs(run, hasDoubles, "the device has no float64");
    for (const [a, b] of [
      [2, 5],
      [0.5, 0.5],
      [0.01, 0.03],
      [300, 2],
    ] as const) {
      const values = await random().beta([count], { a, b }).data();
      expectMoments(values, a / (a + b), (a * b) / ((a + b) ** 2 * (a + b + 1)));
    }
    const power = await random()
      .beta([count], { a: 1, b: xp.array([3]) })
      .data();
    expect(distanceFrom(power, (x) => 1 - (1 - x) ** 3)).toBeLessThan(2.7);
    const arcsine = await random().beta([count], { a: 0.5, b: 0.5 }).data();
    expect(distanceFrom(arcsine, (x) => (2 / Math.PI) * Math.asin(Math.sqrt(x)))).toBeLessThan(2.7);
  });

  test("Dirichlet numbers have the sum 1 and beta-distributed components", async (run) => {
    needs(run, hasDoubles, "the device has no float64");
    for (const alpha of [
      [1, 2, 3],
      [0.02, 0.01, 0.1, 0.07],
    ]) {
      const rows = random().dirichlet([count], { alpha });
      const sums = rows.sum({ axis: 1 });
      expect(await sums.sub(1).abs().max().item()).toBeLessThan(1e-14);
      const total = alpha.reduce((a, b) => a + b);
      const columns = await Promise.all(alpha.map((_, k) => rows.slice(":", k).data()));
      for (const [k, one] of alpha.entries()) {
        const mean = one / total;
        expectMoments(columns[k] as Float64Array, mean, (mean * (1 - mean)) / (total + 1));
      }
    }
  });

  test("multinomial counts have the sum n and binomial components that are anticorrelated", async (run) => {
    needs(run, hasDoubles, "the device has no float64");
    const pvals = [0.1, 0, 0.25, 0.6, 0.05, 0];
    for (const n of [3, 400]) {
      const rows = random().multinomial([count], { n, pvals });
      expect(await rows.sum({ axis: 1 }).notEqual(BigInt(n)).any().item()).toBe(false);
      const columns = await Promise.all(
        pvals.map(async (_, k) => Array.from(await rows.slice(":", k).data(), (one) => Number(one))),
      );
      for (const [k, p] of pvals.entries()) {
        if (p === 0) expect(columns[k]?.some((one) => one !== 0)).toBe(false);
        else expectMoments(columns[k] as number[], n * p, n * p * (1 - p));
      }
      // The variance of a sum shows the covariance.
      const both = (columns[0] as number[]).map((one, i) => one + (columns[3]?.[i] ?? 0));
      expectMoments(both, n * 0.7, n * 0.7 * 0.3);
    }
  });

  test("multivariate normal numbers have the mean and the covariance", async () => {
    const cov = [
      [2, -1, 0.5],
      [-1, 3, 0],
      [0.5, 0, 1],
    ];
    const mean = [1, -2, 10];
    const rows = random().multivariateNormal([count], { mean, cov, dtype: "float32" });
    const columns = await Promise.all(mean.map((_, k) => rows.slice(":", k).data()));
    for (const [i, one] of mean.entries()) {
      const variance = cov[i]?.[i] as number;
      expectMoments(columns[i] as Float32Array, one, variance);
      for (let j = 0; j < i; j++) {
        const sums = (columns[i] as Float32Array).map((value, k) => value + (columns[j]?.[k] as number));
        expectMoments(
          sums,
          one + (mean[j] as number),
          variance + (cov[j]?.[j] as number) + 2 * (cov[i]?.[j] as number),
        );
        expect(
          distanceFrom(columns[i] as Float32Array, (x) => normalDistribution((x - one) / Math.sqrt(variance))),
        ).toBeLessThan(2.7);
      }
    }
  });

  test("split streams are independent", async () => {
    const parent = random();
    const [one, other] = parent.split(2) as [RandomGenerator, RandomGenerator];
    const draws = await Promise.all(
      [parent, one, other].map((each) => each.normal([count], { dtype: "float32" }).data()),
    );
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      for (const shift of [0, 1, 2]) {
        let sum = 0;
        for (let k = 0; k + shift < count; k++) {
          sum += ((draws[i] as Float32Array)[k] as number) * ((draws[j] as Float32Array)[k + shift] as number);
        }
        expect(Math.abs(sum / Math.sqrt(count))).toBeLessThan(sigmas);
      }
    }
    // The first numbers of many children must be as good as those of one stream.
    const children = random().split(500);
    const first = await Promise.all(children.map((child) => child.uniform([1], { dtype: "float32" }).data()));
    expect(
      distanceFrom(
        Float32Array.from(first, ([x]) => x as number),
        (x) => x,
      ),
    ).toBeLessThan(2.7);
  });

  test("permutations of few elements are equally frequent", async () => {
    const generator = random();
    const found = new Map<string, number>();
    const rounds = 4800;
    const all = await Promise.all(Array.from({ length: rounds }, () => generator.permutation(4).data()));
    for (const order of all) found.set(order.join(), (found.get(order.join()) ?? 0) + 1);
    expect(found.size).toBe(24);
    const counts = [...found.values()];
    expect(
      Math.abs(
        chiSquare(
          counts,
          counts.map(() => rounds / 24),
        ),
      ),
    ).toBeLessThan(sigmas + 1);
  });

  test("permutations of many elements are independent of the original order", async () => {
    const generator = random();
    let [fixed, parity] = [0, 0];
    const rounds = 200;
    const first = Array.from({ length: 32 }, () => 0);
    for (let round = 0; round < rounds; round++) {
      const length = round % 2 === 0 ? 2048 : 1500;
      const order = Array.from(await generator.permutation(length).data(), Number);
      expect(Math.abs(correlation(order, 1))).toBeLessThan(sigmas);
      const along = order.reduce((sum, value, i) => sum + (value - (length - 1) / 2) * (i - (length - 1) / 2), 0);
      expect(Math.abs((along / (length ** 3 / 12)) * Math.sqrt(length))).toBeLessThan(sigmas);
      fixed += order.filter((value, i) => value === i).length;
      for (let i = 0; i < 16; i++) {
        const box = Math.floor(((order[i] as number) / length) * 32);
        first[box] = (first[box] as number) + 1;
      }
      const seen = new Set<number>();
      let cycles = 0;
      for (let i = 0; i < length; i++) {
        if (seen.has(i)) continue;
        cycles++;
        for (let at = i; !seen.has(at); at = order[at] as number) seen.add(at);
      }
      parity += (length - cycles) % 2;
    }
    // A random permutation has one fixed point on average, and every other one is even.
    expect(Math.abs(fixed - rounds) / Math.sqrt(rounds)).toBeLessThan(sigmas);
    expect(Math.abs(parity - rounds / 2) / Math.sqrt(rounds / 4)).toBeLessThan(sigmas);
    expect(
      Math.abs(
        chiSquare(
          first,
          first.map(() => (16 * rounds) / 32),
        ),
      ),
    ).toBeLessThan(sigmas + 1);
  });
});
