// Estimates the area of the Mandelbrot set and draws a part of it.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { mandelbrot } from "./mandelbrot.js";

const queue = new CommandQueue(Context.create());

const whole = { center: [-0.5, 0], span: 4, width: 800, height: 800, limit: 500 } as const;
const steps = await queue.read(await mandelbrot(queue, whole));
const inside = steps.filter((n) => n === 0).length;
console.log(`area of the set: about ${(inside * (whole.span / whole.width) ** 2).toFixed(2)}`);

const valley = { center: [-0.7453, 0.1127], span: 0.0065, width: 720, height: 450, limit: 2000 } as const;
const xp = arrays(queue);
// An array on the same memory. Step counts grow without bound towards the set, so colors follow their logarithm.
const counts = xp.asArray(await mandelbrot(queue, valley)).reshape([valley.height, valley.width]);
const colormap = ["#000000", "#04104a", "#1b5fa8", "#9bd3e8", "#fff8dc", "#f2a93b", "#8a2f1d", "#2b0b2e"];
await mkdir("build", { recursive: true });
await xp.savePng("build/mandelbrot.png", counts.log1p(), { colormap, min: 3.3, max: 7 });
console.log("wrote Seahorse Valley to build/mandelbrot.png");
