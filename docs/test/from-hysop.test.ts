/** The numbers of examples/from-hysop. */
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { StepError } from "@cl/launcher";
import { sample } from "@cl/testing/level";
import { describe, expect, test } from "vitest";

import { abcFlow } from "../../examples/from-hysop/abc-flow.js";
import { checkTimestep, DirectionalAdvection } from "../../examples/from-hysop/directional-advection.js";
import { cellSize, type Component, field, valuesOf } from "../../examples/from-hysop/field.js";
import { PoissonCurl } from "../../examples/from-hysop/poisson-curl.js";
import { strangSplitting } from "../../examples/from-hysop/strang-splitting.js";
import { swirl } from "../../examples/from-hysop/swirl.js";
import { taylorGreen } from "../../examples/from-hysop/taylor-green.js";

const queue = new CommandQueue(Context.create());
const xp = arrays(queue);
const { cos, sin, exp } = Math;

const largestDifference = (a: Float32Array, b: ArrayLike<number>): number => {
  expect(a).toHaveLength(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
};

/** Components without any symmetry. */
const smooth: readonly Component[] = [
  (x, y, z) => 1 + cos(x + 2 * y) * sin(z),
  (x, y, z) => sin(2 * x - z) + 0.5 * cos(y),
  (x, y, z) => cos(x) * sin(y + z) - 0.3,
];

describe.each(["L2_1", "L4_2"] as const)("advection with %s", { tags: "ci" }, (remesh) => {
  test("shifts a field by whole cells in a uniform flow, across the periodic boundary", async () => {
    const size = 12;
    // Cells per unit of time, which takes two half steps.
    const cells = [2, -2, 2] as const;
    const velocity = field(
      xp,
      size,
      cells.map((count) => () => count * cellSize(size)),
    );
    const advected = field(xp, size, smooth);
    const advection = await DirectionalAdvection.create(xp, { velocity, components: 3, remesh });
    const step = strangSplitting([advection], advected, xp.zerosLike(advected));
    for (let n = 0; n < 4; n++) step.launch(queue, { dt: 1 });
    const moved = smooth.map(
      (component): Component =>
        (x, y, z) =>
          component(x - 8 * cellSize(size), y + 8 * cellSize(size), z - 8 * cellSize(size)),
    );
    expect(largestDifference(await advected.data(), valuesOf(size, moved))).toBeLessThan(2e-5);
  });
});

test("a stretched blob returns to its shape, and its mass is conserved", { tags: "full" }, async () => {
  const errors: number[] = [];
  const total = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0);
  for (const [size, remesh] of [
    [16, "L4_2"],
    [32, "L2_1"],
    [32, "L4_2"],
  ] as const) {
    const { start, middle, end } = await swirl(queue, { size, steps: 2 * size, remesh });
    expect(largestDifference(middle, start)).toBeGreaterThan(0.8);
    expect(total(end) / total(start)).toBeCloseTo(1, 5);
    errors.push(largestDifference(end, start));
  }
  const [coarse, lowOrder, fine] = errors as [number, number, number];
  expect(fine).toBeLessThan(0.25 * coarse);
  expect(fine).toBeLessThan(0.25 * lowOrder);
});

describe.each(sample([16, 15], 1))("the Poisson operator with %i cells per side", { tags: "ci" }, (size) => {
  // The curl of the second is the first.
  const vorticity: readonly Component[] = [
    (_x, y, z) => 5 * cos(y + 2 * z),
    (x) => 3 * sin(3 * x),
    (x, y) => -2 * cos(x - y),
  ];
  const velocity: readonly Component[] = [
    (x, y) => -sin(x - y),
    (x, y, z) => -sin(x - y) - 2 * sin(y + 2 * z),
    (x, y, z) => cos(3 * x) + sin(y + 2 * z),
  ];

  test("computes the velocity whose curl is the vorticity, and adds the stream", async () => {
    const [omega, u] = [field(xp, size, vorticity), field(xp, size, [() => 0, () => 0, () => 0])];
    await PoissonCurl.create(xp, { vorticity: omega, velocity: u, nu: 0.1, stream: [1, 2, 3] });
    const expected = velocity.map(
      (component, i): Component =>
        (x, y, z) =>
          component(x, y, z) + i + 1,
    );
    expect(largestDifference(await u.data(), valuesOf(size, expected))).toBeLessThan(2e-5);
    expect(largestDifference(await omega.data(), valuesOf(size, vorticity))).toBeLessThan(2e-5);
  });

  test("removes the divergence and the highest waves of the vorticity", async () => {
    const gradient: readonly Component[] = [
      (x, y, z) => cos(x + y) * sin(2 * z),
      (x, y, z) => cos(x + y) * sin(2 * z),
      (x, y, z) => 2 * sin(x + y) * cos(2 * z),
    ];
    const sum = vorticity.map(
      (component, i): Component =>
        (x, y, z) =>
          component(x, y, z) + (gradient[i] as Component)(x, y, z) + (size % 2 === 0 ? cos((size / 2) * x) : 0),
    );
    const [omega, u] = [field(xp, size, sum), field(xp, size, [() => 0, () => 0, () => 0])];
    await PoissonCurl.create(xp, { vorticity: omega, velocity: u, nu: 0 });
    expect(largestDifference(await omega.data(), valuesOf(size, vorticity))).toBeLessThan(3e-5);
    expect(largestDifference(await u.data(), valuesOf(size, velocity))).toBeLessThan(2e-5);
  });

  test("diffuses each wave exactly", async () => {
    const [omega, u] = [field(xp, size, vorticity), field(xp, size, [() => 0, () => 0, () => 0])];
    const poisson = await PoissonCurl.create(xp, { vorticity: omega, velocity: u, nu: 0.1 });
    poisson.apply(0.7);
    const waveNumbers = [5, 9, 2];
    const diffused = vorticity.map(
      (component, i): Component =>
        (x, y, z) =>
          exp(-0.07 * (waveNumbers[i] as number)) * component(x, y, z),
    );
    expect(largestDifference(await omega.data(), valuesOf(size, diffused))).toBeLessThan(2e-5);
  });
});

test("a Taylor-Green vortex loses as much energy as viscosity dissipates", { tags: "full" }, async () => {
  const size = 24;
  const { energy, dissipated, picture } = await taylorGreen(queue, { size, nu: 0.03, steps: 30, dt: 0.1 });
  expect(energy[0]).toBeCloseTo(0.125, 6);
  const lost = energy[0] - energy[1];
  // More than without advection and stretching, where it would decay by exp(-6νt).
  expect(lost).toBeGreaterThan(1.05 * energy[0] * (1 - exp(-6 * 0.03 * 3)));
  expect(Math.abs(dissipated / lost - 1)).toBeLessThan(0.01);
  expect(picture.shape).toEqual([size, 4 * size]);
  expect(await picture.max().item()).toBeCloseTo(1, 5);
});

test(
  "an ABC flow in a stream decays as computed analytically, with second order in time",
  { tags: "full" },
  async () => {
    const [size, nu] = [24, 0.05];
    const coarse = await abcFlow(queue, { size, nu, steps: 12, dt: 0.2 });
    const fine = await abcFlow(queue, { size, nu, steps: 24, dt: 0.1 });
    const lowOrder = await abcFlow(queue, { size, nu, steps: 24, dt: 0.1, remesh: "L2_1" });
    expect(fine.error).toBeLessThan(0.005);
    expect(coarse.error / fine.error).toBeGreaterThan(3.5);
    expect(lowOrder.error).toBeGreaterThan(1.5 * fine.error);
    expect(fine.remaining).toBeCloseTo(exp(-nu * 2.4), 3);
  },
);

test("a dt with which particles would move too far is rejected, also during a run", { tags: "ci" }, async () => {
  expect(() => checkTimestep(0.6, 2 * cellSize(16), 16)).not.toThrow();
  expect(() => checkTimestep(1.1, 2 * cellSize(16), 16)).toThrow(RangeError);
  const running = abcFlow(queue, { size: 8, nu: 0, steps: 1, dt: 1 });
  await expect(running).rejects.toThrow(StepError);
  await expect(running).rejects.toHaveProperty("cause", expect.any(RangeError));
});
