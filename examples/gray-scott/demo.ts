/** A complete run with a check, progress, pictures and a profile. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { CommandQueue, Context } from "@cl/core";
import { Profiler, type ProgressOptions, runSteps } from "@cl/launcher";

import { difference, type Fields, initialFields, plainStep, type Rates } from "./fields.js";
import { pictureOf } from "./picture.js";
import { simulation } from "./simulation.js";

/** Options of a run. */
export interface DemoOptions {
  readonly steps: number;
  /** Cells per side, a multiple of 8. */
  readonly size: number;
  /** Output folder. */
  readonly out: string;
  /** How to show progress. Defaults to stderr, if it is a terminal. */
  readonly progress?: ProgressOptions;
}

/** Rates that produce a coral pattern. */
const rates: Rates = { feed: 0.0545, kill: 0.062, dt: 1 };
/** Rounding error of about twenty single-precision operations. */
const tolerance = 2e-6;
/** Upper end of the color scale; v is hardly ever larger. */
const mostV = 0.4;

/** Runs the simulation, prints a summary and returns the final fields. */
export async function demo({ steps, size, out, progress = {} }: DemoOptions): Promise<Fields> {
  const folder = resolve(out);
  await mkdir(folder, { recursive: true });
  const queue = new CommandQueue(Context.create(), { profiling: true });
  const profiler = new Profiler();
  console.log(`Gray-Scott on ${size} × ${size} cells, ${queue.device.name}`);
  const start = initialFields(size);
  const { step, read } = await simulation(queue, start, profiler);
  await runSteps(step, { queue, steps: 1, parameters: rates });
  const error = checked(difference(await read(), plainStep(start, rates)));
  console.log(`the first step agrees with plain JavaScript to ${error.toExponential(0)}`);

  const files: string[] = [];
  const draw = async (after: number): Promise<void> => {
    const name = `field-${String(after).padStart(5, "0")}.png`;
    await writeFile(join(folder, name), pictureOf((await read()).v, size, mostV));
    files.push(name);
  };
  const {
    steps: completed,
    seconds,
    rate,
    stopped,
    reason,
  } = await runSteps(step, {
    queue,
    firstStep: 1,
    steps: steps - 1,
    parameters: rates,
    every: [{ steps: 500, last: true, name: "picture", run: ({ step: after }) => draw(after) }],
    profiler,
    progress,
    signals: true,
  });
  const outcome = stopped === "aborted" ? `stopped by ${String(reason)} after` : "completed";
  console.log(`${outcome} ${completed + 1} of ${steps} steps in ${seconds.toFixed(1)} s (${Math.round(rate)} steps/s)`);

  const end = await read();
  const covered = end.v.filter((value) => value > 0.1).length / end.v.length;
  console.log(`the pattern covers ${(100 * covered).toFixed(0)} % of the square`);
  console.log(profiler.table());
  await profiler.writeTrace(join(folder, "trace.json"));
  await profiler.writeReport(join(folder, "report.html"), { title: `Gray-Scott, ${completed + 1} steps` });
  console.log(`wrote ${[...files, "trace.json", "report.html"].join(", ")} to ${folder}`);
  return end;
}

function checked(error: number): number {
  if (error < tolerance) return error;
  throw new Error(`the first step differs from plain JavaScript by ${error}`);
}
