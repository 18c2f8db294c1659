/** A run from beginning to end: checked, watched, drawn and measured. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { CommandQueue, Context } from "@cl/core";
import { Profiler, type ProgressOptions, runSteps } from "@cl/launcher";

import { difference, type Fields, initialFields, plainStep, type Rates } from "./fields.js";
import { pictureOf } from "./picture.js";
import { simulation } from "./simulation.js";

/** What to run. */
export interface DemoOptions {
  readonly steps: number;
  /** Cells a side, a multiple of 8. */
  readonly size: number;
  /** The folder for the files that come out of it. */
  readonly out: string;
  /** How to show progress: on stderr, where that is a terminal, if not said. */
  readonly progress?: ProgressOptions;
}

/** Where corals grow. */
const rates: Rates = { feed: 0.0545, kill: 0.062, dt: 1 };
/** Single precision has some seven digits, and a step is some twenty operations. */
const tolerance = 2e-6;
/** There is hardly ever more of the second substance. */
const mostV = 0.4;

/** Runs the simulation, and says what came of it; returns how it ended. */
export async function demo({ steps, size, out, progress = {} }: DemoOptions): Promise<Fields> {
  const folder = resolve(out);
  await mkdir(folder, { recursive: true });
  const queue = new CommandQueue(Context.create(), { profiling: true });
  const profiler = new Profiler();
  console.log(`Gray-Scott on ${size} × ${size} cells, ${queue.device.name}`);
  const start = initialFields(size);
  const { step, read } = await simulation(queue, start, profiler);
  await runSteps(step, { queue, steps: 1, parameters: rates });
  const apart = checked(difference(await read(), plainStep(start, rates)));
  console.log(`the first step agrees with plain JavaScript to ${apart.toExponential(0)}`);

  const files: string[] = [];
  const draw = async (after: number): Promise<void> => {
    const name = `field-${String(after).padStart(5, "0")}.png`;
    await writeFile(join(folder, name), pictureOf((await read()).v, size, mostV));
    files.push(name);
  };
  const {
    steps: made,
    seconds,
    rate,
    stopped,
    reason,
  } = await runSteps(step, {
    queue,
    from: 1,
    steps: steps - 1,
    parameters: rates,
    every: [{ steps: 500, last: true, name: "picture", run: ({ step: after }) => draw(after) }],
    profiler,
    progress,
    signals: true,
  });
  const ended = stopped === "aborted" ? `stopped by ${String(reason)} after` : "made";
  console.log(`${ended} ${made + 1} of ${steps} steps in ${seconds.toFixed(1)} s: ${Math.round(rate)} a second`);

  const end = await read();
  const covered = end.v.filter((value) => value > 0.1).length / end.v.length;
  console.log(`the pattern covers ${(100 * covered).toFixed(0)} % of the square`);
  console.log(profiler.table());
  await profiler.writeTrace(join(folder, "trace.json"));
  await profiler.writeReport(join(folder, "report.html"), { title: `Gray-Scott, ${made + 1} steps` });
  console.log(`${[...files, "trace.json", "report.html"].join(", ")} in ${folder}`);
  return end;
}

function checked(apart: number): number {
  if (apart < tolerance) return apart;
  throw new Error(`the first step is ${apart} off what plain JavaScript computes`);
}
