// Vortices that decay as Taylor and Green have computed, and a layer between two streams, which rolls up.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { flow } from "./flow.js";

const queue = new CommandQueue(Context.create());

// Vortices that turn to and fro like cogwheels keep their shape: the flow only gets slower, by exp(-2νt).
const vortices = (x: number, y: number): number => 2 * Math.sin(x) * Math.sin(y);
const [nu, dt, steps] = [0.05, 0.01, 500];
const { omega } = await flow(queue, { size: 64, nu, dt, steps, start: vortices });
const expected = Math.exp(-2 * nu * dt * steps);
console.log(`of the vorticity ${(Math.max(...omega) / 2).toFixed(3)} is left, on paper ${expected.toFixed(3)}`);

// Two layers between streams that go to the left and to the right, pushed a little up and down.
const width = Math.PI / 15;
const layer = (y: number): number => 1 / (width * Math.cosh(y / width) ** 2);
const shear = (x: number, y: number): number =>
  0.05 * Math.cos(x) - layer(y - Math.PI / 2) + layer(y - (3 * Math.PI) / 2);
const size = 160;
const rolled = await flow(queue, { size, nu: 0.004, dt: 0.006, steps: 1300, start: shear });
const xp = arrays(queue);
const picture = xp.fromHost(rolled.omega).reshape([size, size]);
await mkdir("build", { recursive: true });
// Two waves side by side, as the sides meet.
await xp.savePng("build/taylor-green.png", xp.concatenate([picture, picture], { axis: 1 }), { colormap: "coolwarm" });
console.log("the layers have rolled up in build/taylor-green.png");
