/** The numbers of examples/taylor-green. */
import { CommandQueue, Context } from "@cl/core";
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { flow } from "../../examples/taylor-green/flow.js";

const queue = new CommandQueue(Context.create());
const size = 32;
const h = (2 * Math.PI) / size;

test.each(sample([2, 1], 1))("vortices with %i waves per side decay as computed analytically", async (k) => {
  const vortices = (x: number, y: number): number => 2 * k * k * Math.sin(k * x) * Math.sin(k * y);
  const [nu, dt, steps] = [0.05, 0.01, 200];
  const { omega, psi } = await flow(queue, { size, nu, dt, steps, start: vortices });
  const decay = Math.exp(-2 * k * k * nu * dt * steps);
  for (const [i, value] of omega.entries()) {
    const expected = decay * vortices((i % size) * h, Math.floor(i / size) * h);
    expect(Math.abs(value - expected)).toBeLessThan(0.006 * 2 * k * k);
    // The stream function follows from the vorticity, up to the discretization error.
    expect(Math.abs((psi[i] as number) - expected / (2 * k * k))).toBeLessThan(0.02);
  }
});

test("advection and diffusion of vorticity match the analytic rates", { tags: "ci" }, async () => {
  // Each wave alone would be stationary; each is advected by the other.
  const start = (x: number, y: number): number => Math.cos(y) + Math.cos(2 * x);
  const [fine, nu, dt, steps] = [64, 0.05, 0.001, 10];
  const { omega } = await flow(queue, { size: fine, nu, dt, steps, start });
  for (const [i, value] of omega.entries()) {
    const [x, y] = [i % fine, Math.floor(i / fine)].map((cell) => (cell * 2 * Math.PI) / fine) as [number, number];
    // The flow is u = -sin y, v = sin 2x / 2.
    const advection = 1.5 * Math.sin(2 * x) * Math.sin(y);
    const diffusion = nu * (Math.cos(y) + 4 * Math.cos(2 * x));
    expect(Math.abs((value - start(x, y)) / (dt * steps) + advection + diffusion)).toBeLessThan(0.05);
  }
});

test("the stream function solves -∇²ψ = ω, and the total vorticity stays 0", { tags: "ci" }, async () => {
  const start = (x: number, y: number): number => Math.sin(x) + Math.cos(2 * y) + Math.sin(x + 3 * y);
  const { omega, psi } = await flow(queue, { size, nu: 0.02, dt: 0.01, steps: 100, start });
  const at = (x: number, y: number): number => psi[((y + size) % size) * size + ((x + size) % size)] as number;
  for (const [i, value] of omega.entries()) {
    const [x, y] = [i % size, Math.floor(i / size)];
    const laplacian = (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y)) / h ** 2;
    expect(Math.abs(value + laplacian)).toBeLessThan(0.01);
  }
  expect(Math.abs(omega.reduce((sum, value) => sum + value, 0)) / size ** 2).toBeLessThan(1e-5);
});
