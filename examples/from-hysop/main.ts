// A flow stretches a blob and then reverses: advection in the style of a hysop operator.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { Profiler } from "@cl/launcher";

import { swirl } from "./swirl.js";

const queue = new CommandQueue(Context.create(), { profiling: true });
const profiler = new Profiler();
const size = 128;
const { start, middle, end } = await swirl(queue, { size, steps: 200, period: 1.5, profiler });

const difference = (values: Float32Array): number =>
  Math.max(...values.map((value, i) => Math.abs(value - (start[i] ?? 0))));
const sum = (values: Float32Array): number => values.reduce((all, value) => all + value, 0);
console.log(
  `largest difference from the start: ${difference(middle).toFixed(2)} halfway, ${difference(end).toFixed(2)} at the end`,
);
console.log(`mass conserved: ${((100 * sum(end)) / sum(start)).toFixed(2)} %`);

const rows = profiler.rows();
const count = (name: RegExp): number => rows.reduce((all, row) => all + (name.test(row.name) ? row.count : 0), 0);
console.log(`timed commands: ${count(/advect$/)} advect, ${count(/remesh$/)} remesh, ${count(/ghosts$/)} copies`);
// To stderr, because the times differ from run to run.
console.error(profiler.table({ limit: 8 }));

await mkdir("build", { recursive: true });
await profiler.writeTrace("build/from-hysop.trace.json");
const xp = arrays(queue);
const pictures = [start, middle, end].map((values) => xp.fromHost(values).reshape([size, size]));
await xp.savePng("build/from-hysop.png", xp.concatenate(pictures, { axis: 1 }), { colormap: "viridis" });
console.log("wrote build/from-hysop.png and the Perfetto trace build/from-hysop.trace.json");
