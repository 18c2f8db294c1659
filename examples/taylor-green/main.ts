// Taylor-Green vortices, compared with their analytic decay, and shear layers that roll up.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { flow } from "./flow.js";

const queue = new CommandQueue(Context.create());

// Taylor-Green vortices keep their shape and decay by exp(-2νt).
const vortices = (x: number, y: number): number => 2 * Math.sin(x) * Math.sin(y);
const [nu, dt, steps] = [0.05, 0.01, 500];
const { omega } = await flow(queue, { size: 64, nu, dt, steps, start: vortices });
const expected = Math.exp(-2 * nu * dt * steps);
console.log(`remaining vorticity: ${(Math.max(...omega) / 2).toFixed(3)}, analytically ${expected.toFixed(3)}`);

// Two shear layers between opposite streams, with a small perturbation.
const width = Math.PI / 15;
const layer = (y: number): number => 1 / (width * Math.cosh(y / width) ** 2);
const shear = (x: number, y: number): number =>
  0.05 * Math.cos(x) - layer(y - Math.PI / 2) + layer(y - (3 * Math.PI) / 2);
const size = 160;
const rolled = await flow(queue, { size, nu: 0.004, dt: 0.006, steps: 1300, start: shear });
const xp = arrays(queue);
const picture = xp.fromHost(rolled.omega).reshape([size, size]);
await mkdir("build", { recursive: true });
// Two periods next to each other.
await xp.savePng("build/taylor-green.png", xp.concatenate([picture, picture], { axis: 1 }), { colormap: "coolwarm" });
console.log("wrote the shear layers to build/taylor-green.png");
