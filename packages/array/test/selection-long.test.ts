/**
 * Order statistics of long lines: CPUs find them without sorting the lines, and must return the same elements.
 *
 * @module-tag ci
 */
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";
import { describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { sample } from "@cl/testing/level";

const length = 2 ** 18 + 21;

/** Two lines with frequent and rare elements, both zeros, and some NaNs. */
function lines(dtype: DTypeName): DeviceArray {
  const isReal = dtype.startsWith("float") || dtype.startsWith("complex");
  const values = Float32Array.from({ length: 2 * length }, (_, i) => {
    const x = (i * 7919) % 100_003;
    if (i % 5 === 0) return -0;
    if (isReal && i >= length && i % 10_007 === 0) return NaN;
    return x < 40_000 ? x % 9 : x % 2 === 0 ? x / 7 : -x / 7;
  });
  using plain = xp.fromHost(values, { shape: [2, length] });
  return plain.astype(dtype);
}

async function differ(one: AnyArray, other: AnyArray): Promise<boolean> {
  const [a, b] = await Promise.all([one.copy().data(), other.copy().data()]);
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  return !bytes(a).equals(bytes(b));
}

describe.each(sample(["float32", "bool", "int16", "float16", "int64", "complex64"] as const, 1))(
  "lines of %s",
  (dtype) => {
    test("topk returns the first elements of the sort, bit for bit", async () => {
      const a = lines(dtype);
      for (const largest of [true, false]) {
        const [values, indices] = a.topk(37, { largest });
        const sortedIndices = a.argsort({ descending: largest }).slice(":", ":37");
        expect(await differ(indices, sortedIndices)).toBe(false);
        expect(await differ(values, a.takeAlongAxis(sortedIndices))).toBe(false);
      }
    });

    test("partition puts the element in its sorted position, with smaller ones before and larger ones after", async () => {
      const a = lines(dtype);
      for (const kth of [-1, 70_000]) {
        const at = kth < 0 ? kth + length : kth;
        const own = a.partition(kth);
        const sides = [`:${at}`, `${at}:${at + 1}`, `${at + 1}:`].map((side) => own.slice(":", side).sort());
        expect(await differ(xp.concatenate(sides, { axis: 1 }), a.sort())).toBe(false);
        expect(await differ(a.takeAlongAxis(a.argpartition([kth])), own)).toBe(false);
      }
    });
  },
);

const averaged = sample(["float32", ...(hasDoubles ? (["int16", "float64"] as const) : [])] as const, 1);
test.each(averaged)("quantiles of %s match those of sorted lines", async (dtype) => {
  const a = lines(dtype);
  const fractions = [0, 0.123_456, 0.5, 0.75, 1];
  for (const method of sample(["linear", "lower", "higher", "midpoint", "nearest"] as const, 2)) {
    // Enough quantiles that the lines are sorted.
    const all = a.nanquantile(fractions, { axis: 1, method });
    const some = a.nanquantile(fractions.slice(1, 3), { axis: 1, method });
    expect(await differ(some, all.slice("1:3")), method).toBe(false);
    expect(await differ(a.nanquantile(0, { axis: 1, method }), all.slice(0)), method).toBe(false);
  }
  for (const part of [a, a.slice(":", ":-1")]) {
    const middle = part.quantile([0.5, 0.5, 0.5, 0.5, 0.5], { axis: 1, method: "midpoint" }).slice(0);
    expect(await part.median({ axis: 1 }).toNested()).toEqual(await middle.toNested());
  }
});

test("supports long lines of any layout, also of NaN only", { tags: "full" }, async () => {
  const columns = lines("float32").T;
  const largest = columns.sort({ axis: 0, descending: true }).slice(":3");
  expect(await columns.topk(3, { axis: 0 })[0].toNested()).toEqual(await largest.toNested());
  const reversed = lines("float32").slice(0, "::-2");
  const long = xp.concatenate([reversed, reversed]);
  expect(await long.median().item()).toBe(await reversed.median().item());
  const odd = xp.concatenate([xp.zeros([1], { dtype: "float32" }), long]).slice("1:");
  expect(await odd.topk(5)[1].toNested()).toEqual(await long.topk(5)[1].toNested());
  const none = xp.full([length], NaN, { dtype: "float32" });
  expect(await none.median().item()).toBe(NaN);
  expect(await none.nanmedian().item()).toBe(NaN);
  expect(await none.topk(2)[1].toNested()).toEqual([0n, 1n]);
  expect(none.topk(0)[0].shape).toEqual([0]);
});
