// Compares the cooling of a plate computed undivided, in two halves, and analytically.
import { mkdir } from "node:fs/promises";
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { heat } from "./heat.js";

const queue = new CommandQueue(Context.create());
const [size, steps, rate] = [126, 4000, 0.2];

// A half wave in each direction keeps its shape and decays by exp(-2π²t).
const start = (x: number, y: number): number => Math.sin(Math.PI * x) * Math.sin(Math.PI * y);
const whole = await heat(queue, { size, parts: 1, steps, rate, start });
const halves = await heat(queue, { size, parts: 2, steps, rate, start });
const different = halves.findIndex((value, i) => value !== whole[i]);
console.log(different < 0 ? "both halves equal the undivided plate" : `the halves differ at point ${different}`);

const time = (steps * rate) / (size + 1) ** 2;
const expected = Math.exp(-2 * Math.PI ** 2 * time);
const middle = (size / 2 + 1) / (size + 1);
const left = (halves[(size / 2) * size + size / 2] as number) / start(middle, middle);
console.log(`heat left at time ${time.toFixed(4)}: ${left.toFixed(4)}, analytically ${expected.toFixed(4)}`);

// Hot spots that spread across the cut, at three times.
const spots = (x: number, y: number): number =>
  Math.hypot(x - 0.4, y - 0.45) < 0.16 || Math.hypot(x - 0.68, y - 0.66) < 0.09 ? 1 : 0;
const xp = arrays(queue);
const plates = [];
for (const after of [0, 100, 800]) {
  const plate = await heat(queue, { size, parts: 2, steps: after, rate, start: spots });
  plates.push(xp.pad(xp.array(plate).reshape([size, size]), 1));
}
await mkdir("build", { recursive: true });
await xp.savePng(
  "build/heat-equation.png",
  xp.concatenate(plates, { axis: 1 }).repeat(2, { axis: 0 }).repeat(2, { axis: 1 }),
  {
    colormap: "inferno",
  },
);
console.log("wrote hot spots at three times to build/heat-equation.png");
