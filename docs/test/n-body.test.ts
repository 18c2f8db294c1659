/** The numbers of examples/n-body. */
import { CommandQueue, Context } from "@cl/core";
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { type Bodies, measure, nBody } from "../../examples/n-body/n-body.js";

const queue = new CommandQueue(Context.create());

/** A deterministic cloud of bodies. */
function cloud(count: number): Bodies {
  const value = (i: number): number => ((i * 7919) % 1009) / 1009 - 0.5;
  return {
    positions: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 / count : 2 * value(i))),
    velocities: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 0 : value(i + 500))),
  };
}

test("two bodies return to their start after one orbit", { tags: "ci" }, async () => {
  // Masses of 1/2 at a distance of 1 have an orbital period of 2π.
  const start = {
    positions: Float32Array.of(-0.5, 0, 0, 0.5, 0.5, 0, 0, 0.5),
    velocities: Float32Array.of(0, -0.5, 0, 0, 0, 0.5, 0, 0),
  };
  const half = await nBody(queue, start, { steps: 500, dt: Math.PI / 500, softening: 1e-4, tile: 2 });
  const turn = await nBody(queue, start, { steps: 1000, dt: Math.PI / 500, softening: 1e-4, tile: 1 });
  for (const [i, value] of start.positions.entries()) {
    expect(half.positions[i]).toBeCloseTo(i % 4 === 3 ? value : -value, 3);
    expect(turn.positions[i]).toBeCloseTo(value, 3);
  }
});

test("a step equals that of plain JavaScript for any tile size", async () => {
  const [start, dt, softening] = [cloud(96), 0.05, 0.1];
  const expected = plainStep(start, dt, softening);
  for (const tile of sample([32, 1, 8, 96], 1)) {
    const end = await nBody(queue, start, { steps: 1, dt, softening, tile });
    for (const part of ["positions", "velocities"] as const) {
      const off = end[part].map((value, i) => Math.abs(value - (expected[part][i] as number)));
      expect(Math.max(...off), `${part}, tiles of ${tile}`).toBeLessThan(2e-6);
    }
  }
});

test("energy and momentum are conserved, and onStep is called after each step", { tags: "ci" }, async () => {
  const [start, softening] = [cloud(64), 0.1];
  let calls = 0;
  const onStep = (): number => calls++;
  const end = await nBody(queue, start, { steps: 200, dt: 0.01, softening, tile: 16, onStep });
  expect(calls).toBe(200);
  const [before, after] = [measure(start, softening), measure(end, softening)];
  expect(Math.abs(after.energy / before.energy - 1)).toBeLessThan(0.002);
  for (const axis of [0, 1, 2]) expect(after.momentum[axis]).toBeCloseTo(before.momentum[axis] as number, 5);
});

/** Half a kick, a drift, half a kick. */
function plainStep({ positions, velocities }: Bodies, dt: number, softening: number): Bodies {
  const [p, v] = [[...positions], [...velocities]];
  const kick = (time: number): void => {
    for (let i = 0; i < p.length; i += 4) {
      for (let j = 0; j < p.length; j += 4) {
        const way = [0, 1, 2].map((axis) => (p[j + axis] as number) - (p[i + axis] as number));
        const pull = (p[j + 3] as number) / Math.hypot(...way, softening) ** 3;
        for (const axis of [0, 1, 2]) v[i + axis] = (v[i + axis] as number) + time * pull * (way[axis] as number);
      }
    }
  };
  kick(dt / 2);
  for (let i = 0; i < p.length; i++) if (i % 4 < 3) p[i] = (p[i] as number) + dt * (v[i] as number);
  kick(dt / 2);
  return { positions: Float32Array.from(p), velocities: Float32Array.from(v) };
}
