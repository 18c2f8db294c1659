// Heat that leaves a plate: computed in one piece, in two halves, and on paper.
import { CommandQueue, Context } from "@cl/core";

import { heat } from "./heat.js";

const queue = new CommandQueue(Context.create());
const [size, steps, rate] = [126, 4000, 0.2];

// One half wave each way keeps its shape, and only gets lower: by exp(-2π²t).
const start = (x: number, y: number): number => Math.sin(Math.PI * x) * Math.sin(Math.PI * y);
const whole = await heat(queue, { size, parts: 1, steps, rate, start });
const halves = await heat(queue, { size, parts: 2, steps, rate, start });
const apart = halves.findIndex((value, i) => value !== whole[i]);
console.log(apart < 0 ? "two halves give the very same as one piece" : `the halves are off at point ${apart}`);

const time = (steps * rate) / (size + 1) ** 2;
const expected = Math.exp(-2 * Math.PI ** 2 * time);
const middle = (size / 2 + 1) / (size + 1);
const left = (halves[(size / 2) * size + size / 2] as number) / start(middle, middle);
console.log(`at time ${time.toFixed(4)} there is ${left.toFixed(4)} of the heat left, on paper ${expected.toFixed(4)}`);
