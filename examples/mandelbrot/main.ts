// The Mandelbrot set: how large it is, and a look into one of its valleys.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { mandelbrot } from "./mandelbrot.js";

const queue = new CommandQueue(Context.create());

const whole = { center: [-0.5, 0], span: 4, width: 800, height: 800, limit: 500 } as const;
const steps = await queue.read(await mandelbrot(queue, whole));
const inside = steps.filter((n) => n === 0).length;
console.log(`the area of the set is about ${(inside * (whole.span / whole.width) ** 2).toFixed(2)}`);

const valley = { center: [-0.7453, 0.1127], span: 0.0065, width: 720, height: 450, limit: 2000 } as const;
const xp = arrays(queue);
// An array over the same memory. The logarithm, as the steps grow without bound towards the set.
const speeds = xp.asArray(await mandelbrot(queue, valley)).reshape([valley.height, valley.width]);
const colormap = ["#000000", "#04104a", "#1b5fa8", "#9bd3e8", "#fff8dc", "#f2a93b", "#8a2f1d", "#2b0b2e"];
await mkdir("build", { recursive: true });
await xp.savePng("build/mandelbrot.png", speeds.log1p(), { colormap, min: 3.3, max: 7 });
console.log("a valley of sea horses is in build/mandelbrot.png");
