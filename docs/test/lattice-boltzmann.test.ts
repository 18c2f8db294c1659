/** The numbers of examples/lattice-boltzmann. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CommandQueue, Context } from "@cl/core";
import { runSteps } from "@cl/launcher";
import { expect, test } from "vitest";

import { lattice, omegaOf, type Size } from "../../examples/lattice-boltzmann/lattice.js";
import { cavityProfile, ghia } from "../../examples/lattice-boltzmann/cavity.js";
import { save, wake } from "../../examples/lattice-boltzmann/wake.js";

const queue = new CommandQueue(Context.create());

test.each([
  ["float32", [0, 1], 0.004],
  ["float32", [1, 2], 0.004],
  ["float16", [2, 0], 0.02],
] as const)(
  "vortices stored as %s in the plane of the axes %j decay as computed analytically",
  async (precision, axes, tolerance) => {
    const n = 32;
    const [a, b] = axes;
    const size: Size = [0, 1, 2].map((axis) => (axis === a || axis === b ? n : 3)) as [number, number, number];
    const [k, speed, nu, steps] = [(2 * Math.PI) / n, 0.02, 0.05, 200];
    const velocityAt = (...at: readonly [number, number, number]): [number, number, number] => {
      const u: [number, number, number] = [0, 0, 0];
      u[a] = speed * Math.cos(k * at[a]) * Math.sin(k * at[b]);
      u[b] = -speed * Math.sin(k * at[a]) * Math.cos(k * at[b]);
      return u;
    };
    const flow = await lattice(queue, { size, velocityAt, precision });
    await runSteps(flow.steps, { queue, steps: steps / 2, parameters: { omega: omegaOf(nu), inflow: 0, wall: 0 } });
    const { density, velocity } = await flow.read();
    const decay = Math.exp(-2 * nu * k * k * steps);
    const [nx, ny] = size;
    let largest = 0;
    for (let cell = 0; cell < flow.cells; cell++) {
      const expected = velocityAt(cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny)));
      for (const axis of [0, 1, 2] as const) {
        largest = Math.max(largest, Math.abs((velocity[axis][cell] as number) - decay * expected[axis]));
      }
    }
    expect(largest / speed).toBeLessThan(tolerance);
    // Mass is conserved.
    const mass = density.reduce((sum, value) => sum + value, 0) / flow.cells;
    expect(Math.abs(mass - 1)).toBeLessThan(precision === "float32" ? 1e-6 : 1e-4);
  },
);

test("the flow in a box with a moving lid agrees with Ghia, Ghia and Shin (1982)", async () => {
  const profile = await cavityProfile(queue, { cells: 48, reynolds: 100, steps: 12_000 });
  for (const [y, u] of ghia) expect(Math.abs(profile(y) - u)).toBeLessThan(0.02);
});

test("the flow around a cylinder is drawn, with opposite vorticity on both sides", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wake-"));
  try {
    const pictures: number[] = [];
    const { result, cells } = await wake(queue, {
      cells: 8,
      reynolds: 40,
      steps: 200,
      precision: "float32",
      every: {
        steps: 100,
        draw: async (picture, step) => {
          pictures.push(step);
          const path = join(folder, `${step}.png`);
          await save(queue, path, picture);
          expect((await readFile(path)).subarray(1, 4).toString()).toBe("PNG");
          // Clockwise above, and counterclockwise below.
          const { width, height, vorticity } = picture;
          const row = (y: number): number => vorticity.subarray(y * width, (y + 1) * width).reduce((a, b) => a + b, 0);
          expect(row(Math.floor(height * 0.35))).toBeLessThan(0);
          expect(row(Math.floor(height * 0.65))).toBeGreaterThan(0);
        },
      },
    });
    expect([result.steps, cells, pictures]).toEqual([100, 32 * 16 * 8, [100, 200]]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
