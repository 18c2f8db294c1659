/**
 * PyOpenCL's random number tests, re-expressed: test_clrandom.py, and those of test_array.py, whose intervals are
 * closed.
 */
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, xp } from "../support/device.js";
import { testsEveryCase } from "@cl/testing/level";

const everyCase = testsEveryCase(import.meta.url);

describe.each(["philox", "threefry"] as const)("%s", (generator) => {
  test("test_clrandom_dtypes", async (run) => {
    const random = xp.random(12, { generator });
    for (const dtype of ["int32", "int64"] as const) {
      const values = await random.integers([10], { low: -3, high: 4, dtype: dtype as "int32" }).data();
      expect(Array.from(values, Number).every((x) => x >= -3 && x < 4)).toBe(true);
    }
    for (const dtype of ["float2", "float3", "float4"] as const) {
      for (const records of [random.uniform([10], { dtype }), random.normal([10], { dtype })]) {
        const values = Array.from(await records.components.data(), Number);
        expect(values).toHaveLength(10 * Number(dtype.at(-1)));
        expect(new Set(values).size).toBe(values.length);
      }
    }
    expect(new Set(await random.uniform([10], { dtype: "float32" }).data()).size).toBe(10);
    expect(new Set(await random.normal([10], { dtype: "float32" }).data()).size).toBe(10);
    needs(run, hasDoubles, "the device has no float64");
    expect(new Set(await random.uniform([10]).data()).size).toBe(10);
    expect(new Set(await random.normal([10]).data()).size).toBe(10);
  });

  test("test_random_float_in_range", async () => {
    const random = xp.random(12, { generator });
    for (const dtype of ["float32", ...(hasDoubles ? (["float64"] as const) : [])] as const) {
      for (const size of [300, 301, 302, 303, 10_007, ...(everyCase ? [1_000_000] : [])]) {
        const unit = random.uniform([size], { dtype });
        expect([(await unit.min().item()) >= 0, (await unit.max().item()) < 1]).toEqual([true, true]);
        const out = random.uniform([size], { low: 4, high: 7, out: unit });
        expect([(await out.min().item()) >= 4, (await out.max().item()) < 7]).toEqual([true, true]);
        const normal = random.normal([size], { loc: 10, scale: 3, dtype });
        expect(Math.abs((await normal.mean().item()) - 10)).toBeLessThan((6 * 3) / Math.sqrt(size));
      }
    }
  });

  test("test_random_int_in_range", { timeout: 240_000 }, async () => {
    const random = xp.random(12, { generator });
    const size = everyCase ? 10_000_007 : 100_007;
    for (const dtype of ["int32", "int64"] as const) {
      using values = random.integers([size], { low: 200, high: 300, dtype });
      expect([Number(await values.min().item()), Number(await values.max().item())]).toEqual([200, 299]);
    }
  });
});
