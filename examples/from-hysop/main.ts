// Incompressible flow by remeshed particles, in the style of hysop: two problems with known solutions, or a Taylor-Green vortex.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { Profiler } from "@cl/launcher";

import { abcFlow } from "./abc-flow.js";
import { swirl } from "./swirl.js";
import { taylorGreen } from "./taylor-green.js";

const { values } = parseArgs({
  options: {
    flow: { type: "string", default: "known" },
    size: { type: "string", default: "32" },
    steps: { type: "string", default: "60" },
    dt: { type: "string", default: "0.05" },
    viscosity: { type: "string", default: "0.05" },
    remesh: { type: "string", default: "L4_2" },
  },
});

function fail(name: keyof typeof values, expected: string): never {
  console.error(`--${name} must be ${expected}, received ${values[name]}`);
  process.exit(2);
}

/** Returns an option as a number. */
function number(name: keyof typeof values, expected: string, isValid: (value: number) => boolean): number {
  const value = Number(values[name]);
  return isValid(value) ? value : fail(name, expected);
}

const { flow, remesh } = values;
if (flow !== "known" && flow !== "taylor-green") fail("flow", "known or taylor-green");
if (remesh !== "L2_1" && remesh !== "L4_2") fail("remesh", "L2_1 or L4_2");
const size = number("size", "an integer of at least 8", (n) => Number.isSafeInteger(n) && n >= 8);
const multiple = flow === "known" ? 1 : 3;
const expectedSteps = flow === "known" ? "a positive integer" : "a positive multiple of 3";
const steps = number("steps", expectedSteps, (n) => Number.isSafeInteger(n) && n > 0 && n % multiple === 0);
const dt = number("dt", "a positive number", (n) => n > 0 && n < Infinity);
const nu = number("viscosity", "a number of at least 0", (n) => n >= 0 && n < Infinity);

const queue = new CommandQueue(Context.create(), { profiling: true });
const profiler = new Profiler();
const options = { size, steps, dt, nu, remesh, profiler, progress: true } as const;
await mkdir("build", { recursive: true });

if (flow === "known") {
  const { start, middle, end } = await swirl(queue, { size, steps: 4 * size, remesh });
  const difference = (blob: Float32Array): string =>
    blob.reduce((most, value, i) => Math.max(most, Math.abs(value - (start[i] ?? 0))), 0).toFixed(3);
  const sum = (blob: Float32Array): number => blob.reduce((all, value) => all + value, 0);
  console.log(`blob: largest difference from the start ${difference(middle)} halfway, ${difference(end)} at the end`);
  console.log(`mass conserved: ${((100 * sum(end)) / sum(start)).toFixed(2)} %`);

  const { error, remaining } = await abcFlow(queue, options);
  const analytic = Math.exp(-nu * steps * dt);
  console.log(`ABC flow after ${steps} steps: relative error ${error.toExponential(1)}`);
  console.log(`remaining vorticity: ${remaining.toFixed(4)}, analytically ${analytic.toFixed(4)}`);
} else {
  const { energy, dissipated, picture } = await taylorGreen(queue, options);
  console.log(`energy lost: ${(energy[0] - energy[1]).toFixed(4)} of ${energy[0].toFixed(4)}`);
  console.log(`energy dissipated: ${dissipated.toFixed(4)}`);
  const pixels = Math.ceil(192 / size);
  const large = picture.repeat(pixels, { axis: 0 }).repeat(pixels, { axis: 1 });
  await arrays(queue).savePng("build/from-hysop.png", large, { colormap: "inferno" });
  console.log("wrote build/from-hysop.png");
}

const rows = profiler.rows();
const count = (name: string): number => rows.reduce((all, row) => all + (row.name.includes(name) ? row.count : 0), 0);
const names = ["advect", "remesh", "stretching", "Poisson curl"];
console.log(`timed commands: ${names.map((name) => `${count(name)} ${name}`).join(", ")}`);
// To stderr, because the times differ from run to run.
console.error(profiler.table({ limit: 8 }));
await profiler.writeTrace("build/from-hysop.trace.json");
console.log("wrote the Perfetto trace build/from-hysop.trace.json");
