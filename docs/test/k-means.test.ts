/** The numbers of examples/k-means. */
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { blobs, trueCenters } from "../../examples/k-means/blobs.js";
import { kMeans, squaredDistances } from "../../examples/k-means/k-means.js";
import { clusterPicture } from "../../examples/k-means/picture.js";

const xp = arrays(new CommandQueue(Context.create()));

test("kMeans() finds known clusters", { tags: "full" }, async () => {
  for (const seed of sample([1, 2, 3], 1)) {
    const points = blobs(xp, { each: 500, seed });
    const { centers, labels } = await kMeans(xp, points, { clusters: trueCenters.length });
    // A different center is nearest to each true center.
    const near = await squaredDistances(xp.array(trueCenters, { dtype: "float32" }), centers)
      .argmin({ axis: 1 })
      .data();
    expect(new Set(near).size).toBe(trueCenters.length);
    const found = await centers.take(xp.array(near), { axis: 0 }).toNested();
    for (const [k, [x, y]] of (found as [number, number][]).entries()) {
      // The mean of 500 points is within 0.005 or so; points beyond the border move it a little.
      expect(Math.hypot(x - (trueCenters[k]?.[0] ?? NaN), y - (trueCenters[k]?.[1] ?? NaN))).toBeLessThan(0.03);
    }
    // Nearly all points are in the cluster they were generated for.
    const correct = (await labels.data()).filter((label, i) => label === near[Math.floor(i / 500)]).length;
    expect(correct / (500 * trueCenters.length)).toBeGreaterThan(0.97);
  }
});

test("the inertia never increases and equals that of plain JavaScript", { tags: "full" }, async () => {
  const points = xp.random(9).uniform([2000, 3], { dtype: "float32" });
  const { centers, labels, inertia } = await kMeans(xp, points, { clusters: 8, tolerance: 1e-4 });
  expect(inertia.length).toBeGreaterThan(5);
  // Up to the rounding of a sum.
  for (let n = 1; n < inertia.length; n++) {
    expect(inertia[n]).toBeLessThanOrEqual((inertia[n - 1] as number) * (1 + 1e-6));
  }
  const [p, c, l] = await Promise.all([points.data(), centers.data(), labels.data()]);
  let sum = 0;
  for (const [i, label] of l.entries()) {
    const squares = Array.from({ length: 8 }, (_, k) =>
      [0, 1, 2].reduce((all, axis) => all + ((p[3 * i + axis] as number) - (c[3 * k + axis] as number)) ** 2, 0),
    );
    expect(squares[Number(label)]).toBeCloseTo(Math.min(...squares), 6);
    sum += Math.min(...squares);
  }
  expect((inertia.at(-1) as number) / sum).toBeCloseTo(1, 5);
});

test("one cluster per point has inertia 0, and a single cluster is the mean", { tags: "full" }, async () => {
  const points = xp.array(
    [
      [0, 0],
      [4, 0],
      [0, 2],
    ],
    { dtype: "float32" },
  );
  expect((await kMeans(xp, points, { clusters: 3 })).inertia.at(-1)).toBe(0);
  const { centers, inertia } = await kMeans(xp, points, { clusters: 1 });
  expect((await centers.data()).map((value) => Math.round(value * 1000))).toEqual(Float32Array.of(1333, 667));
  expect(inertia.at(-1)).toBeCloseTo(40 / 3, 4);
});

test("centers without points do not move", async () => {
  const points = xp.ones([5, 2], { dtype: "float32" });
  const { centers } = await kMeans(xp, points, { clusters: 3 });
  expect(await centers.data()).toEqual(new Float32Array(6).fill(1));
});

test("clusterPicture() draws centers white and regions in their dark color", { tags: "full" }, async () => {
  const points = xp.array(
    [
      [-0.5, 0.5],
      [0.5, -0.5],
    ],
    { dtype: "float32" },
  );
  const picture = await clusterPicture(xp, points, points, 40);
  const at = async (row: number, column: number): Promise<unknown> => picture.slice(row, column).toNested();
  expect(await at(10, 10)).toEqual([255, 255, 255]);
  expect(await at(4, 4)).toEqual([60, 27, 22]);
  expect(await at(35, 35)).toEqual([62, 47, 17]);
});
