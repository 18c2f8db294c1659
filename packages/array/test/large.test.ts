/** Arrays with more elements than 32 bits can index, if a device has enough memory. */
import type { DeviceArray } from "@cl/array";
import { DeviceType } from "@cl/core";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { queue, xp } from "./support/device.js";
import { testsEveryCase } from "@cl/testing/level";

const { device } = queue;
const count = 2 ** 31 + 3;
const isLarge = device.maxMemAllocSize >= 2 * count && device.globalMemSize >= 2 ** 35;
const why = "no GPU with 32 GiB of memory";

async function at(array: DeviceArray<"uint8">, ...places: readonly number[]): Promise<readonly number[]> {
  const values: number[] = [];
  for (const place of places) values.push(await array.slice(place).item());
  return values;
}

test("selects and stores by masks beyond 2^31 elements of the memory", { timeout: 300_000 }, async (run) => {
  needs(run, (device.type & DeviceType.GPU) !== 0 && isLarge, why);
  using a = xp.ones([count + 100], { dtype: "uint8" });
  using part = a.slice([2 ** 31, count + 100]);
  part.slice(50).assign(7);
  using mask = part.equal(7);
  expect(await (await part.at(mask)).toNested()).toEqual([7]);
  part.setAt([mask], xp.array([9], { dtype: "uint8" }));
  expect(await at(a, 0, 50, 2 ** 31 + 49, 2 ** 31 + 50)).toEqual([1, 1, 1, 9]);
});

test("creates, computes, flips and sums more than 2^31 elements", { timeout: 300_000 }, async (run) => {
  needs(run, (device.type & DeviceType.GPU) !== 0 && isLarge, why);
  const ends = [0, 1, 2 ** 31 - 1, 2 ** 31, count - 1];
  using a = xp.ones([count], { dtype: "uint8" });
  a.slice("-2:").assign(7);
  using twice = a.add(a);
  expect(await at(twice, ...ends)).toEqual([2, 2, 2, 2, 14]);
  using reversed = a.slice("::-1").copy();
  expect(await at(reversed, ...ends)).toEqual([7, 7, 1, 1, 1]);
  twice.add(reversed, { out: twice });
  expect(await at(twice, ...ends)).toEqual([9, 9, 3, 3, 15]);
  expect(await a.sum().item()).toBe(BigInt(count + 12));
  expect(await a.argmax().item()).toBe(BigInt(count - 2));
  using mask = a.equal(7);
  expect(await (await a.at(mask)).toNested()).toEqual([7, 7]);
  const [places] = await mask.nonzero();
  expect(await places?.toNested()).toEqual([BigInt(count - 2), BigInt(count - 1)]);
  expect([...(await a.take(xp.array([BigInt(count - 1), 2n ** 31n])).data())]).toEqual([7, 1]);
});

test("supports more than 2^32 bytes in two axes", { timeout: 300_000 }, async (run) => {
  needs(run, (device.type & DeviceType.GPU) !== 0 && isLarge, why);
  const [rows, columns] = [33_000, 33_000];
  using a = xp.arange(rows, { dtype: "float32" }).reshape([rows, 1]).broadcastTo([rows, columns]).copy();
  using transposed = a.T.copy();
  expect([...(await transposed.slice(-1, "-3:").data())]).toEqual([rows - 3, rows - 2, rows - 1]);
  expect([...(await transposed.slice(0, ":3").data())]).toEqual([0, 1, 2]);
  using sums = a.sum({ axis: 1, dtype: "float64" });
  expect([...(await sums.slice("-2:").data())]).toEqual([(rows - 2) * columns, (rows - 1) * columns]);
  expect((await a.max({ axis: 0 }).slice(-1).item()).toString()).toBe(String(rows - 1));
});

test("draws, scans, counts, selects and sorts more than 2^31 elements", { timeout: 300_000 }, async (run) => {
  needs(run, (device.type & DeviceType.GPU) !== 0 && isLarge, why);
  const rng = xp.random(1);
  using drawn = rng.clone().integers([count], { high: 200, dtype: "uint8" });
  using few = rng.clone().integers([8], { high: 200, dtype: "uint8" });
  expect(await at(drawn, 0, 1, 7)).toEqual(await at(few, 0, 1, 7));
  // Later elements come from later positions in the stream.
  expect(
    new Set(await at(drawn, 2 ** 31, 2 ** 31 + 1, 2 ** 31 + 2, count - 4, count - 5, count - 6)).size,
  ).toBeGreaterThan(1);

  using counts = await xp.bincount(drawn);
  const total = Number(await counts.sum().item());
  expect(total).toBe(count);
  const occurrences = Array.from(await counts.data(), Number);

  using sorted = drawn.sort();
  const places: number[] = [];
  let end = 0;
  for (const one of occurrences) places.push((end += one) - 1);
  expect(await at(sorted, ...places.slice(-50))).toEqual(occurrences.map((_, value) => value).slice(-50));
  expect(await at(sorted, ...places.slice(-51, -1).map((place) => place + 1))).toEqual(
    occurrences.map((_, value) => value).slice(-50),
  );

  using ones = xp.ones([count], { dtype: "uint8" });
  using sums = ones.cumsum({ dtype: "uint32" });
  const ends: number[] = [];
  for (const place of [0, 2 ** 31 - 1, 2 ** 31, count - 1]) ends.push(await sums.slice(place).item());
  expect(ends).toEqual([1, 2 ** 31, 2 ** 31 + 1, count]);

  using picked = await xp.copyIf(drawn, "a[i] == 199");
  expect(picked.size).toBe(occurrences[199]);
});

test("selects and counts more than 2^31 elements", { timeout: 300_000 }, async (run) => {
  needs(run, (device.type & DeviceType.GPU) !== 0 && isLarge, why);
  using a = xp.ones([count], { dtype: "uint8" });
  a.slice("-2:").assign(7);
  using selected = await xp.copyIf(a, "a[i] > 1 || i == 2147483648");
  expect(await selected.toNested()).toEqual([1, 7, 7]);
  using counts = xp.bincount(a, { size: 8 });
  expect(await counts.toNested()).toEqual([0n, BigInt(count - 2), 0n, 0n, 0n, 0n, 0n, 2n]);
  const [inBins] = xp.histogram(a, [0, 2, 8]);
  expect(await inBins.toNested()).toEqual([BigInt(count - 2), 2n]);
});

test("selects positions beyond 32 bits in a broadcast array", { timeout: 300_000 }, async (run) => {
  needs(run, testsEveryCase, "too many cases for a full run (see CL_TEST_LEVEL=every)");
  const wide = xp.ones([1], { dtype: "uint8" }).broadcastTo([2 ** 31 + 10]);
  expect((await xp.copyIf(wide, "i >= 2147483640")).size).toBe(18);
  const [few, many] = await xp.partitionIf(wide.slice([0, 2 ** 31 - 2 ** 20]), "i < 5");
  expect([few.size, many.size]).toEqual([5, 2 ** 31 - 2 ** 20 - 5]);
});
