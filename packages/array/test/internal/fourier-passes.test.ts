/** Transforms with more passes than their length needs and with 64-bit indices, with CPU and GPU kernels. */
import { describe, expect, test } from "vitest";

import { isSmooth, nextFast, partsOf, radicesOf } from "../../src/fft/factors.js";
import { runPasses } from "../../src/fft/run-passes.js";
import { placeOf } from "../../src/fft/transform-axis.js";
import { kinds, treatBlockAs } from "../support/treat-as.js";
import { transformed } from "./transformed.js";

describe.each(kinds)("on %s", (_, type) => {
  const block = treatBlockAs(type);
  const values = (size: number): Float32Array =>
    Float32Array.from({ length: 2 * size }, (_one, i) => ((i * 31) % 17) - 8);

  test.each([
    [[24], 3, 1, false],
    [[2, 3, 4], 3, 1, true],
    [[2, 3, 4, 5], 2, 1, false],
    [[3, 2, 4], 2, 18, true],
    [[16, 16], 33, 1, false],
  ] as const)(
    "transforms with passes of %j, batches of %i, inner size %i; 32-bit indices: %s",
    (parts, batch, inner, short) => {
      const length = parts.reduce((all, one) => all * one, 1);
      const host = values(batch * length * inner);
      const { xp } = block;
      using a = xp.fromHost(host, { dtype: "complex64" });
      using out = xp.empty([a.size], { dtype: "complex64" });
      const lines = { batch, length, inner };
      runPasses(xp, "complex64", lines, placeOf(a), placeOf(out), { inverse: false, scale: 0.5 }, { short, parts });
      const found = out.dataSync();
      for (const [b, i] of [
        [0, 0],
        [batch - 1, inner - 1],
      ] as const) {
        const element = (j: number): number => 2 * ((b * length + j) * inner + i);
        const source = (j: number): [number, number] => [host[element(j)] as number, host[element(j) + 1] as number];
        for (let k = 0; k < length; k++) {
          const [re, im] = transformed(source, length, k);
          const at = element(k);
          const far = Math.hypot((found[at] as number) - re / 2, (found[at + 1] as number) - im / 2);
          expect(far, `element ${k}`).toBeLessThan(1e-3);
        }
      }
      // The inverse transform, into the same memory.
      runPasses(
        xp,
        "complex64",
        lines,
        placeOf(out),
        placeOf(out),
        { inverse: true, scale: 2 / length },
        { short, parts },
      );
      const back = out.dataSync();
      expect(Math.max(...back.map((value, i) => Math.abs(value - (host[i] as number))))).toBeLessThan(1e-4);
    },
  );
});

test("splits a length into as few factors as possible, of similar size", () => {
  const ratio = (parts: readonly number[]): number => Math.max(...parts) / Math.min(...parts);
  expect(partsOf(1000, 4096, ratio)).toEqual([1000]);
  expect(partsOf(2 ** 20, 1024, ratio)).toEqual([1024, 1024]);
  expect(partsOf(2 ** 27, 1024, ratio)).toEqual([512, 512, 512]);
  expect(partsOf(1e8, 1024, ratio).reduce((all, one) => all * one)).toBe(1e8);
  expect(radicesOf(4096, [16, 8, 4, 2])).toEqual([16, 16, 16]);
  expect(radicesOf(1, [2])).toEqual([]);
  expect(isSmooth(13 * 11 * 49 * 1024)).toBe(true);
  expect(isSmooth(17)).toBe(false);
  for (const n of [1, 2, 7, 2041, 131_071, 1e6 + 1]) {
    const fast = nextFast(n);
    expect(fast).toBeGreaterThanOrEqual(n);
    expect(fast).toBeLessThan(Math.max(n * 1.15, 10));
    expect([2, 3, 5].reduce((rest, prime) => dividedBy(rest, prime), fast)).toBe(1);
  }
});

function dividedBy(n: number, prime: number): number {
  return n % prime === 0 ? dividedBy(n / prime, prime) : n;
}
