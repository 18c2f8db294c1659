/** The numbers of examples/from-hysop. */
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { StepError } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { abcFlow } from "../../examples/from-hysop/abc-flow.js";
import { checkTimestep, DirectionalAdvection } from "../../examples/from-hysop/directional-advection.js";
import { DirectionalStretching } from "../../examples/from-hysop/directional-stretching.js";
import { axes, cellSize, type Component, field, valuesOf } from "../../examples/from-hysop/field.js";
import { NavierStokes } from "../../examples/from-hysop/navier-stokes.js";
import { PoissonCurl } from "../../examples/from-hysop/poisson-curl.js";
import { strangSplitting } from "../../examples/from-hysop/strang-splitting.js";
import { swirl } from "../../examples/from-hysop/swirl.js";
import { taylorGreen, taylorGreenVorticity } from "../../examples/from-hysop/taylor-green.js";

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

const remeshKernels = [
  {
    remesh: "L2_1",
    support: 2,
    weight: (x: number): number => (x < 1 ? 1 - 2.5 * x ** 2 + 1.5 * x ** 3 : 2 - 4 * x + 2.5 * x ** 2 - 0.5 * x ** 3),
  },
  {
    remesh: "L4_2",
    support: 3,
    // The coefficients of Cottet, Etancelin, Perignon and Picard.
    weight: (x: number): number => {
      const at = (...coefficients: readonly number[]): number =>
        coefficients.reduce((sum, coefficient, power) => sum + coefficient * x ** power, 0);
      if (x < 1) return at(1, 0, -5 / 4, -35 / 12, 21 / 4, -25 / 12);
      if (x < 2) return at(-4, 75 / 4, -245 / 8, 545 / 24, -63 / 8, 25 / 24);
      return at(18, -153 / 4, 255 / 8, -313 / 24, 21 / 8, -5 / 24);
    },
  },
] as const;

/** Index of the cell that is `away` cells further along an axis. */
function neighbor(cell: number, axis: number, away: number, size: number): number {
  const stride = size ** axis;
  const position = Math.floor(cell / stride) % size;
  return cell + (((position + away + size) % size) - position) * stride;
}

describe.each(remeshKernels)("advection with $remesh", ({ remesh, support, weight }) => {
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

  test.each(axes)("along %s equals moving and remeshing particles in plain JavaScript", async (name) => {
    const [size, dt, axis] = [10, 0.4, axes.indexOf(name)];
    const time = (0.5 * dt) / cellSize(size);
    const [u, values] = [valuesOf(size, smooth).map((value) => 2 * value), valuesOf(size, smooth.slice(0, 2))];
    const cells = size ** 3;
    const expected = new Float64Array(2 * cells);
    for (let cell = 0; cell < cells; cell++) {
      const at = (away: number): number => u[axis * cells + neighbor(cell, axis, away, size)] as number;
      const middle = 0.5 * time * at(0);
      const left = Math.floor(middle);
      const [a, b, c, d] = [-1, 0, 1, 2].map((away) => at(left + away)) as [number, number, number, number];
      const t = middle - left;
      const speed =
        b + 0.5 * (c - a) * t + (a - 2.5 * b + 2 * c - 0.5 * d) * t ** 2 + 0.5 * (3 * (b - c) + d - a) * t ** 3;
      const shift = time * speed;
      for (let away = -support; away <= support; away++) {
        const distance = Math.abs(away - shift);
        if (distance >= support) continue;
        for (const first of [0, cells]) {
          const to = first + neighbor(cell, axis, away, size);
          expected[to] = (expected[to] as number) + weight(distance) * (values[first + cell] as number);
        }
      }
    }
    const velocity = xp.fromHost(u).reshape([3, size, size, size]);
    const [from, to] = [field(xp, size, smooth.slice(0, 2)), field(xp, size, [() => 0, () => 0])];
    const advection = await DirectionalAdvection.create(xp, { velocity, components: 2, remesh });
    advection.along(name, from, to).launch(queue, { dt });
    expect(largestDifference(await to.data(), expected)).toBeLessThan(2e-6);
  });
});

test("a stretched blob returns to its shape, and its mass is conserved", async () => {
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

test.each(axes)("stretching along %s solves the equation of the cells", async (name) => {
  const [size, dt, axis] = [12, 0.3, axes.indexOf(name)];
  const [u, values] = [valuesOf(size, smooth), valuesOf(size, smooth.toReversed())];
  const cells = size ** 3;
  const expected = values.slice();
  for (let cell = 0; cell < cells; cell++) {
    const slope = (component: number): number => {
      const at = (away: number): number => u[component * cells + neighbor(cell, axis, away, size)] as number;
      return (8 * (at(1) - at(-1)) - at(2) + at(-2)) / (12 * cellSize(size));
    };
    // dω/dt = ω_axis du/dx with constant du/dx.
    const own = slope(axis);
    const growth = own === 0 ? dt / 2 : Math.expm1((own * dt) / 2) / own;
    const factor = (values[axis * cells + cell] as number) * growth;
    for (const i of [0, 1, 2]) expected[i * cells + cell] = (values[i * cells + cell] as number) + factor * slope(i);
  }
  const [from, to] = [field(xp, size, smooth.toReversed()), field(xp, size, smooth)];
  const stretching = await DirectionalStretching.create(xp, field(xp, size, smooth));
  stretching.along(name, from, to).launch(queue, { dt });
  expect(largestDifference(await to.data(), expected)).toBeLessThan(1e-4);
});

describe.each([15, 16])("the Poisson operator with %i cells per side", (size) => {
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

test("a Taylor-Green vortex starts to change as the Navier-Stokes equations demand", async () => {
  const [size, nu, dt, steps] = [32, 0.1, 0.01, 2];
  const omega = taylorGreenVorticity;
  const u: readonly Component[] = [
    (x, y, z) => sin(x) * cos(y) * cos(z),
    (x, y, z) => -cos(x) * sin(y) * cos(z),
    () => 0,
  ];
  // dω/dt = ∇ × (u × ω) - 3νω, as all waves have k² = 3. The differences are accurate to 1e-8.
  const [at, h] = [(list: readonly Component[], i: number): Component => list[i % 3] as Component, 1e-4];
  const cross =
    (i: number): Component =>
    (...p) =>
      at(u, i + 1)(...p) * at(omega, i + 2)(...p) - at(u, i + 2)(...p) * at(omega, i + 1)(...p);
  const derivative =
    (component: Component, axis: number): Component =>
    (...p) => {
      const shifted = (by: number): [number, number, number] =>
        p.map((value, i) => value + (i === axis % 3 ? by : 0)) as [number, number, number];
      return (component(...shifted(h)) - component(...shifted(-h))) / (2 * h);
    };
  const rate = [0, 1, 2].map(
    (i): Component =>
      (...p) =>
        derivative(cross(i + 2), i + 1)(...p) - derivative(cross(i + 1), i + 2)(...p) - 3 * nu * at(omega, i)(...p),
  );
  // Forward and backward in time, so that the second derivative cancels.
  const ends: Float32Array[] = [];
  for (const direction of [1, -1]) {
    const flow = await NavierStokes.create(queue, { size, nu, start: omega });
    await flow.solve({ steps, dt: direction * dt });
    ends.push(await flow.vorticity.data());
  }
  const [after, before] = ends as [Float32Array, Float32Array];
  const rates = after.map((value, i) => (value - (before[i] as number)) / (2 * steps * dt));
  const expected = valuesOf(size, rate);
  expect(expected.reduce((most, value) => Math.max(most, value), 0)).toBeGreaterThan(0.5);
  expect(largestDifference(rates, expected)).toBeLessThan(0.01);
});

test("a Taylor-Green vortex loses as much energy as viscosity dissipates", async () => {
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

test("an ABC flow in a stream decays as computed analytically, with second order in time", async () => {
  const [size, nu] = [24, 0.05];
  const coarse = await abcFlow(queue, { size, nu, steps: 12, dt: 0.2 });
  const fine = await abcFlow(queue, { size, nu, steps: 24, dt: 0.1 });
  const lowOrder = await abcFlow(queue, { size, nu, steps: 24, dt: 0.1, remesh: "L2_1" });
  expect(fine.error).toBeLessThan(0.005);
  expect(coarse.error / fine.error).toBeGreaterThan(3.5);
  expect(lowOrder.error).toBeGreaterThan(1.5 * fine.error);
  expect(fine.remaining).toBeCloseTo(exp(-nu * 2.4), 3);
});

test("a dt with which particles would move too far is rejected, also during a run", async () => {
  expect(() => checkTimestep(0.6, 2 * cellSize(16), 16)).not.toThrow();
  expect(() => checkTimestep(1.1, 2 * cellSize(16), 16)).toThrow(
    "dt must not exceed 1, with which particles move by 2 cells, received 1.1",
  );
  const running = abcFlow(queue, { size: 8, nu: 0, steps: 1, dt: 1 });
  await expect(running).rejects.toThrow(StepError);
  await expect(running).rejects.toHaveProperty("cause", expect.any(RangeError));
});
