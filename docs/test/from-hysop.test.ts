/** The numbers of examples/from-hysop. */
import { CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { DirectionalAdvection } from "../../examples/from-hysop/directional-advection.js";
import { type Axis, field, valuesOf } from "../../examples/from-hysop/field.js";
import { swirl } from "../../examples/from-hysop/swirl.js";

const queue = new CommandQueue(Context.create());

const bump = (x: number, y: number): number => Math.exp(-((x - 0.3) ** 2 + (y - 0.6) ** 2) / 0.02);
const total = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0);
const largestDifference = (a: Float32Array, b: Float32Array): number => {
  expect(a).toHaveLength(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
};

test("a uniform flow shifts a field by whole cells, across the periodic boundary", async () => {
  const size = 20;
  const scalar = field(queue, size, bump);
  const velocity = { x: field(queue, size, () => 2), y: field(queue, size, () => -2) };
  const advection = await DirectionalAdvection.create(queue, { scalar, velocity, fastest: 2 });
  const before = await valuesOf(queue, scalar);
  // Each half step moves by one cell.
  await advection.apply(queue, { steps: 8, dt: 1, amplitude: () => 1 });
  const moved = before.map((_, i) => {
    const [x, y] = [i % size, Math.floor(i / size)];
    return before[((y + 16) % size) * size + ((x + size - 16) % size)] as number;
  });
  expect(largestDifference(await valuesOf(queue, scalar), moved)).toBeLessThan(1e-6);
});

/** Half a step along one axis in plain JavaScript. */
function advected(values: Float32Array, velocity: Float32Array, axis: Axis, time: number): Float32Array {
  const size = Math.sqrt(values.length);
  const next = (cell: number, away: number): number => {
    const [x, y] = [cell % size, Math.floor(cell / size)];
    const wrapped = (index: number): number => (index + away + size) % size;
    return axis === "x" ? y * size + wrapped(x) : wrapped(y) * size + x;
  };
  const result = new Float32Array(values.length);
  for (const [cell, value] of values.entries()) {
    const middle = 0.5 * time * (velocity[cell] as number);
    const left = Math.floor(middle);
    const [a, b] = [left, left + 1].map((away) => velocity[next(cell, away)] as number) as [number, number];
    const shift = time * (a + (b - a) * (middle - left));
    for (let away = -3; away <= 3; away++) {
      const x = Math.abs(away - shift);
      const weight = x < 1 ? 1 + x * x * (1.5 * x - 2.5) : x < 2 ? 0.5 * (2 - x) ** 2 * (1 - x) : 0;
      const to = next(cell, away);
      result[to] = (result[to] as number) + weight * value;
    }
  }
  return result;
}

test("a step equals advecting particles and remeshing them in plain JavaScript", async () => {
  const size = 24;
  const along = (a: number, b: number): number => size * Math.sin(Math.PI * a) ** 2 * Math.sin(2 * Math.PI * b);
  const scalar = field(queue, size, bump);
  const velocity = { x: field(queue, size, along), y: field(queue, size, (x, y) => -along(y, x)) };
  const [u, v] = [await valuesOf(queue, velocity.x), await valuesOf(queue, velocity.y)];
  const advection = await DirectionalAdvection.create(queue, { scalar, velocity, fastest: size });
  let expected = await valuesOf(queue, scalar);
  for (const axis of ["x", "y", "y", "x"] as const) {
    expected = advected(expected, axis === "x" ? u : v, axis, 0.5 * 0.05 * 0.9);
  }
  await advection.apply(queue, { steps: 1, dt: 0.05, amplitude: () => 0.9 });
  expect(largestDifference(await valuesOf(queue, scalar), expected)).toBeLessThan(1e-5);
});

test("a stretched blob returns to its shape, more accurately with more cells, and its mass is conserved", async () => {
  const errors: number[] = [];
  for (const size of [32, 64]) {
    const { start, middle, end } = await swirl(queue, { size, steps: 2 * size, period: 1.5 });
    expect(largestDifference(middle, start)).toBeGreaterThan(0.5);
    expect(total(end) / total(start)).toBeCloseTo(1, 4);
    errors.push(largestDifference(end, start));
  }
  const [coarse, fine] = errors as [number, number];
  expect(fine).toBeLessThan(0.3 * coarse);
});

test("apply() rejects a dt with which particles would leave the ghost cells", async () => {
  const [size, fastest] = [16, 4];
  const even = (): ReturnType<typeof field> => field(queue, size, () => fastest);
  const advection = await DirectionalAdvection.create(queue, {
    scalar: field(queue, size, bump),
    velocity: { x: even(), y: even() },
    fastest,
  });
  await expect(advection.apply(queue, { steps: 1, dt: 0.6, amplitude: () => 1 })).rejects.toThrow(
    "dt must not exceed 0.5, with which a particle moves by one cell, received 0.6",
  );
});
