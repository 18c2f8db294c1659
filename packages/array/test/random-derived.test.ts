/** Distributions that are made of other random numbers: streams, outputs, parameters and errors. */
import type { DeviceArray, RandomGenerator } from "@cl/array";
import { describe, expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

type Fill = (random: RandomGenerator, rows: number, out?: DeviceArray<"float32">) => DeviceArray<"float32">;

/** Options for a dtype, and an existing array if there is one. */
const into = (out: DeviceArray<"float32"> | undefined): { dtype: "float32"; out?: DeviceArray<"float32"> } =>
  out === undefined ? { dtype: "float32" } : { dtype: "float32", out };

const fills: Readonly<Record<string, Fill>> = {
  lognormal: (random, rows, out) => random.lognormal([rows, 3], { mean: 1, ...into(out) }),
  beta: (random, rows, out) => random.beta([rows, 3], { a: xp.array([1, 2, 3]), b: 0.5, ...into(out) }),
  dirichlet: (random, rows, out) => random.dirichlet([rows], { alpha: xp.array([1, 0.2, 3]), ...into(out) }),
  multinomial: (random, rows, out) => random.multinomial([rows], { n: 50, pvals: [0.2, 0.3, 0.5], ...into(out) }),
  multivariateNormal: (random, rows, out) =>
    random.multivariateNormal([rows], { mean: [1, 2, 3], cov: xp.eye(3), ...into(out) }),
};

describe.each(Object.entries(fills))("%s", (name, fill) => {
  test("consecutive fills equal one fill", { tags: "full" }, async (run) => {
    needsDoubles(run);
    const whole = await fill(xp.random(3), 9).data();
    const random = xp.random(3);
    const parts = [4, 5].map((rows) => fill(random, rows).data());
    const [first, rest] = await Promise.all(parts);
    // Exponentials differ in the last digit between vectorized and scalar code.
    const all = [...(first as Float32Array), ...(rest as Float32Array)];
    expect(all).toHaveLength(whole.length);
    for (const [i, one] of all.entries()) expect(Math.abs(one / (whole[i] as number) - 1), name).toBeLessThan(1e-6);
  });

  const tags = name === "lognormal" ? [] : [name === "multinomial" ? "ci" : "full"];
  test("goes into an existing view", { tags }, async (run) => {
    needsDoubles(run);
    const whole = xp.zeros([3, 8], { dtype: "float32" });
    const out = whole.T.slice("::2");
    expect(fill(xp.random(3), 4, out)).toBe(out);
    expect(await out.toNested()).toEqual(await fill(xp.random(3), 4).toNested());
    expect(await whole.slice(":", "1::2").any().item()).toBe(false);
  });
});

test("parameters in arrays are broadcast", { tags: "ci" }, async (run) => {
  needsDoubles(run);
  const random = xp.random(1);
  const rolls = random.multinomial([2, 3], { n: xp.array([0, 5, 100]), pvals: [0.5, 0.5] });
  expect(String(await rolls.sum({ axis: -1 }).data())).toBe("0,5,100,0,5,100");
  const invalid = await random.beta([3], { a: xp.array([-1, 0, 1]), b: 1 }).data();
  expect(Array.from(invalid, (one) => one >= 0)).toEqual([false, true, true]);
});

test("lognormal numbers may be vectors", () => {
  expect(String(xp.random(1).lognormal([5], { dtype: "float3" }))).toBe("RecordArray { float32x3 [5] }");
});

test("a singular covariance is possible, and an indefinite one gives NaN", { tags: "full" }, async () => {
  const random = xp.random(1);
  const same = random.multivariateNormal([100], { mean: [0, 0], cov: [[4, 4], [4, 4]], dtype: "float32" }); // prettier-ignore
  expect(await same.slice(":", 0).sub(same.slice(":", 1)).abs().less(1e-3).all().item()).toBe(true);
  const cov = [[1, 2], [2, 1]]; // prettier-ignore
  const invalid = random.multivariateNormal([3], { mean: [0, 0], cov, dtype: "float32" });
  expect(await invalid.isnan().all().item()).toBe(true);
});

test("rejects wrong parameters by name", (run) => {
  needsDoubles(run);
  const random = xp.random(1);
  const { state } = random;
  for (const [call, error] of [
    [() => random.lognormal([2], { sigma: -1 }), outOfRange("options.sigma")],
    [() => random.lognormal([2], { mean: "1" as never }), wrongType("options.mean")],
    [() => random.beta([2], { a: 0, b: 1 }), outOfRange("options.a")],
    [() => random.beta([2], { a: 1, b: xp.zeros([3]) }), outOfRange("options.b")],
    [() => random.beta([2], { a: 1 } as never), wrongType("options.b")],
    [() => random.dirichlet([2], { alpha: [1, 0] }), outOfRange("options.alpha[1]")],
    [() => random.dirichlet([2], { alpha: [] }), outOfRange("options.alpha")],
    [() => random.dirichlet([2], { alpha: 1 as never }), wrongType("options.alpha")],
    [() => random.dirichlet([2], { alpha: [1, 2], out: xp.zeros([2]) }), outOfRange("options.out")],
    [() => random.multinomial([2], { n: -1, pvals: [1] }), outOfRange("options.n")],
    [() => random.multinomial([2], { n: 1, pvals: [0.5] }), outOfRange("options.pvals")],
    [() => random.multinomial([2], { n: 1 } as never), wrongType("options.pvals")],
    [() => random.multinomial([2], { n: 300, pvals: [0.5, 0.5], dtype: "uint8" }), outOfRange("counts")],
    [() => random.multivariateNormal([2], { mean: [0, 0], cov: [[1]] }), outOfRange("options.cov")],
    [() => random.multivariateNormal([2], { mean: xp.zeros([1, 1]), cov: [[1]] }), outOfRange("options.mean")],
    [
      () => random.multivariateNormal([2], { mean: [0], cov: [[1]], dtype: "float16" as never }),
      wrongType("options.dtype"),
    ],
  ] as const) {
    expect(call).toThrow(error);
  }
  expect(random.state).toEqual(state);
});
