/** The numbers of examples/heat-equation. */
import { CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { heat } from "../../examples/heat-equation/heat.js";

const queue = new CommandQueue(Context.create());
const [size, rate] = [30, 0.2];
const h = 1 / (size + 1);

test.each([
  [1, 1],
  [2, 1],
  [1, 3],
] as const)("the mode with %i × %i half waves decays as computed analytically", async (m, n) => {
  const mode = (x: number, y: number): number => Math.sin(m * Math.PI * x) * Math.sin(n * Math.PI * y);
  const steps = 200;
  const end = await heat(queue, { size, parts: 2, steps, rate, start: mode });
  // The exact decay of the mode in the five-point scheme per step, and the analytic decay.
  const factor = 1 + 2 * rate * (Math.cos(m * Math.PI * h) + Math.cos(n * Math.PI * h) - 2);
  const exact = Math.exp(-(m ** 2 + n ** 2) * Math.PI ** 2 * steps * rate * h ** 2);
  expect(Math.abs(factor ** steps / exact - 1)).toBeLessThan(0.05);
  for (const [i, value] of end.entries()) {
    const expected = factor ** steps * mode(((i % size) + 1) * h, (Math.floor(i / size) + 1) * h);
    expect(Math.abs(value - expected)).toBeLessThan(1e-5);
  }
});

test("a plate in parts gives exactly the result of the undivided one", { tags: "ci" }, async () => {
  const spot = (x: number, y: number): number => (Math.hypot(x - 0.45, y - 0.3) < 0.2 ? 1 + x : 0);
  const ends: Float32Array[] = [];
  for (const parts of [1, 2, 3, 5]) ends.push(await heat(queue, { size, parts, steps: 60, rate, start: spot }));
  for (const end of ends) expect(end).toEqual(ends[0]);
  expect(Math.max(...(ends[0] as Float32Array))).toBeGreaterThan(0.1);
});
