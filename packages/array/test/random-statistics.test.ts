/**
 * Statistical tests of random numbers: moments, Kolmogorov-Smirnov, correlation across streams, chi-square. Uniform, normal and
 * exponential numbers and integers are compared with a reference in random.test.ts. The limits fail by chance once in some million
 * runs.
 *
 * @module-tag ci
 */
import type { RandomGenerator } from "@cl/array";
import { describe, expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";
import { sample, testSeed, testsEveryCase } from "@cl/testing/level";

const seeds = testsEveryCase ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
const cases = [testSeed(20_261_121), ...seeds].flatMap((seed) =>
  (["philox", "threefry"] as const).map((generator) => ({ generator, seed })),
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

/** Checks the Kolmogorov-Smirnov distance. */
function expectDistribution(values: Float32Array | Float64Array, distribution: (x: number) => number): void {
  const sorted = values.toSorted();
  let worst = 0;
  for (const [i, x] of sorted.entries()) {
    const expected = distribution(x);
    worst = Math.max(worst, expected - i / sorted.length, (i + 1) / sorted.length - expected);
  }
  expect(worst * Math.sqrt(sorted.length)).toBeLessThan(2.7);
}

/** The correlation of neighboring numbers, in standard deviations. */
function correlation(values: ArrayLike<number>): number {
  const { mean, variance } = momentsOf(values);
  let sum = 0;
  for (let i = 0; i + 1 < values.length; i++) {
    sum += ((values[i] as number) - mean) * ((values[i + 1] as number) - mean);
  }
  return sum / variance / Math.sqrt(values.length - 1);
}

/** Checks frequencies by chi-square, without those whose expectation is too small. */
function expectFrequencies(found: readonly number[], expectation: (kind: number) => number): void {
  const frequent = found.map((one, kind) => [one, expectation(kind)] as const).filter(([, expected]) => expected > 10);
  const sum = frequent.reduce((total, [one, expected]) => total + (one - expected) ** 2 / expected, 0);
  const freedom = frequent.length - 1;
  // Wilson-Hilferty: with few categories chi-square is far from normal, and exceeds 6 deviations once in 700 times.
  const spread = 2 / (9 * freedom);
  expect(Math.abs((Math.cbrt(sum / freedom) - (1 - spread)) / Math.sqrt(spread))).toBeLessThan(sigmas + 1);
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
  const known = { 0: 0.5, 1: 0.8413447460685429, [-2.5]: 0.006209665325776132, 4: 0.9999683287581669 };
  for (const [x, expected] of Object.entries(known)) {
    expect(Math.abs(normalDistribution(Number(x)) - expected)).toBeLessThan(1e-12);
  }
});

describe.each(sample(cases, 1))("$generator with seed $seed", ({ generator, seed }) => {
  const random = (): RandomGenerator => xp.random(seed, { generator });

  test("float16, poisson, binomial and gamma numbers have the expected moments", { tags: "full" }, async (run) => {
    expect.hasAssertions();
    const halves = await random().normal([count], { dtype: "float16" }).astype("float32").data();
    expectMoments(halves, 0, 1);
    needsDoubles(run);
    for (const lam of [0.1, 4, 9.99, 10, 12.5, 300, 1e5]) {
      expectMoments(Array.from(await random().poisson([count], { lam }).data(), Number), lam, lam);
    }
    const trials = { 1: 0.5, 20: 0.3, 50: 0.9, 400: 0.5, 1_000_000: 0.999 };
    for (const [text, p] of Object.entries(trials)) {
      const n = Number(text);
      expectMoments(Array.from(await random().binomial([count], { n, p }).data(), Number), n * p, n * p * (1 - p));
    }
    for (const shape of [0.2, 1, 1.5, 40]) {
      expectMoments(await random().gamma([count], { shape, scale: 2 }).data(), 2 * shape, 4 * shape);
    }
    expectDistribution(await random().gamma([count], { shape: 1 }).data(), (x) => 1 - Math.exp(-x));
  });

  test("poisson, binomial and choice numbers have the expected frequencies", async (run) => {
    needsDoubles(run);
    for (const lam of [2.5, 30]) {
      const kinds = Math.ceil(lam + 4 * Math.sqrt(lam));
      const law: number[] = [];
      for (let k = 0, p = Math.exp(-lam); k < kinds; p *= lam / ++k) law.push(p * count);
      expectFrequencies(frequencies(await random().poisson([count], { lam }).data(), kinds), (k) => law[k] ?? 0);
    }
    for (const n of [10, 60]) {
      const law: number[] = [];
      for (let k = 0, q = 0.6 ** n; k <= n; q *= ((n - k) * 0.4) / 0.6 / (k + 1), k++) law.push(q * count);
      const values = await random().binomial([count], { n, p: 0.4 }).data();
      expectFrequencies(frequencies(values, n + 1), (k) => law[k] ?? 0);
    }
    const p = [0.1, 0, 0.25, 0.65];
    const chosen = frequencies(await random().choice(4, [count], { p }).data(), 4);
    expect(chosen[1]).toBe(0);
    expectFrequencies(chosen, (k) => (p[k] as number) * count);
  });

  test("lognormal and beta numbers match their distributions", async (run) => {
    expect.hasAssertions();
    const lognormal = await random().lognormal([count], { mean: 1, sigma: 0.5, dtype: "float32" }).data();
    expectDistribution(lognormal, (x) => normalDistribution((Math.log(x) - 1) / 0.5));
    needsDoubles(run);
    const shapes = [[2, 5], [0.5, 0.5], [0.01, 0.03], [300, 2]] as const; // prettier-ignore
    for (const [a, b] of shapes) {
      const values = await random().beta([count], { a, b }).data();
      expectMoments(values, a / (a + b), (a * b) / ((a + b) ** 2 * (a + b + 1)));
    }
    const power = await random()
      .beta([count], { a: 1, b: xp.array([3]) })
      .data();
    expectDistribution(power, (x) => 1 - (1 - x) ** 3);
    const arcsine = await random().beta([count], { a: 0.5, b: 0.5 }).data();
    expectDistribution(arcsine, (x) => (2 / Math.PI) * Math.asin(Math.sqrt(x)));
  });

  test("Dirichlet numbers have the sum 1 and beta-distributed components", { tags: "full" }, async (run) => {
    needsDoubles(run);
    const alphas = [[1, 2, 3], [0.02, 0.01, 0.1, 0.07]]; // prettier-ignore
    for (const alpha of alphas) {
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
    needsDoubles(run);
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

  test("multivariate normal numbers have the mean and the covariance", { tags: "full" }, async () => {
    expect.hasAssertions();
    const cov = [[2, -1, 0.5], [-1, 3, 0], [0.5, 0, 1]] as const; // prettier-ignore
    const covariance = (i: number, j: number): number => cov[i]?.[j] as number;
    const mean = [1, -2, 10];
    const rows = random().multivariateNormal([count], { mean, cov, dtype: "float32" });
    const columns = await Promise.all(mean.map((_, k) => rows.slice(":", k).data()));
    for (const [i, one] of mean.entries()) {
      const values = columns[i] as Float32Array;
      expectDistribution(values, (x) => normalDistribution((x - one) / Math.sqrt(covariance(i, i))));
      for (let j = 0; j < i; j++) {
        const sums = values.map((value, k) => value + (columns[j]?.[k] as number));
        expectMoments(sums, one + (mean[j] as number), covariance(i, i) + covariance(j, j) + 2 * covariance(i, j));
      }
    }
  });

  test("split streams are independent", async () => {
    const parent = random();
    const [one, other] = parent.split(2) as [RandomGenerator, RandomGenerator];
    const draws = await Promise.all(
      [parent, one, other].map((each) => each.normal([count], { dtype: "float32" }).data()),
    );
    const pairs = [[0, 1], [0, 2], [1, 2]] as const; // prettier-ignore
    for (const [i, j] of pairs) {
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
    const values = Float32Array.from(first, ([x]) => x as number);
    expectDistribution(values, (x) => x);
  });

  test("permutations of few elements are equally frequent", async () => {
    const generator = random();
    const found = new Map<string, number>();
    const rounds = 4800;
    const all = await Promise.all(Array.from({ length: rounds }, () => generator.permutation(4).data()));
    for (const order of all) found.set(order.join(), (found.get(order.join()) ?? 0) + 1);
    expect(found.size).toBe(24);
    expectFrequencies([...found.values()], () => rounds / 24);
  });

  test("permutations of many elements are independent of the original order", async () => {
    const generator = random();
    let fixed = 0;
    const rounds = 100;
    for (let round = 0; round < rounds; round++) {
      const order = Array.from(await generator.permutation(round % 2 === 0 ? 2048 : 1500).data(), Number);
      expect(Math.abs(correlation(order))).toBeLessThan(sigmas);
      fixed += order.filter((value, i) => value === i).length;
    }
    // A random permutation has one fixed point on average.
    expect(Math.abs(fixed - rounds) / Math.sqrt(rounds)).toBeLessThan(sigmas);
  });
});
