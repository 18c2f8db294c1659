// A blob that a flow draws out, and then back again: an operator in the manner of hysop.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { Profiler } from "@cl/launcher";

import { swirl } from "./swirl.js";

const queue = new CommandQueue(Context.create(), { profiling: true });
const profiler = new Profiler();
const size = 128;
const { start, middle, end } = await swirl(queue, { size, steps: 200, period: 1.5, profiler });

const apart = (values: Float32Array): number =>
  Math.max(...values.map((value, i) => Math.abs(value - (start[i] ?? 0))));
const sum = (values: Float32Array): number => values.reduce((all, value) => all + value, 0);
console.log(`halfway the blob is off by up to ${apart(middle).toFixed(2)}, at the end by ${apart(end).toFixed(2)}`);
console.log(`${((100 * sum(end)) / sum(start)).toFixed(2)} % of it is still there`);

const rows = profiler.rows();
const count = (name: RegExp): number => rows.reduce((all, row) => all + (name.test(row.name) ? row.count : 0), 0);
console.log(
  `timed: ${count(/advect$/)} times advect, ${count(/remesh$/)} times remesh, ${count(/before$|behind$/)} copies`,
);
// Other times with each run, so beside the results.
console.error(profiler.table({ limit: 8 }));

await mkdir("build", { recursive: true });
await profiler.writeTrace("build/from-hysop.trace.json");
const xp = arrays(queue);
const pictures = [start, middle, end].map((values) => xp.fromHost(values).reshape([size, size]));
await xp.savePng("build/from-hysop.png", xp.concatenate(pictures, { axis: 1 }), { colormap: "viridis" });
console.log("build/from-hysop.png shows it, build/from-hysop.trace.json has all steps for Perfetto");
