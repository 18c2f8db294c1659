// node bench/src/launch-shapes.mjs: compares the shapes that launchShape chooses with candidates, by size and kind of kernel.
//
// Candidates are interleaved in slices, so that other load affects all of them; the figures are medians of rounds. Results
// are verified once before the measurement.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { ShapedKernels } from "@cl/characterize";
import { CommandQueue, Context, DeviceBuffer, DeviceType } from "@cl/core";

import { candidatesFor } from "./launch-shape-candidates.mjs";
import { describeMachine } from "./machine.mjs";
import { median, quantile, significant } from "./statistics.mjs";

/** @typedef {import("@cl/characterize").KernelKind} KernelKind */
/** @typedef {import("@cl/characterize").LaunchShape} LaunchShape */
/** @typedef {{ kind: KernelKind, width: number, n: number, chosen: string, chosenUs: number, best: string, bestUs: number, ratio: number, steady: number, all: Record<string, number> }} Row */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    slice: { type: "string", default: "10" },
    kind: { type: "string", multiple: true, default: ["elementwise", "reduction", "scan"] },
    n: { type: "string", multiple: true, default: ["1e3", "1e4", "1e5", "1e6", "1e7"] },
    type: { type: "string", default: "float" },
    width: { type: "string", multiple: true },
    json: { type: "string" },
    all: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const sliceMs = Number(values.slice);
const maxLength = Math.max(...values.n.map(Number));

const context = Context.create();
const [device] = /** @type {[import("@cl/core").Device]} */ (context.devices);
const queue = new CommandQueue(context);
const isCpu = (device.type & DeviceType.CPU) !== 0;
const widths = (values.width ?? (isCpu ? ["1", "16"] : ["1", "4"])).map(Number);

// Small integers, whose sums are exact in float up to 2 ** 24.
const pattern = Float32Array.from({ length: maxLength }, (_, i) => Number(i % 16 === 0));
const [a, b] = [DeviceBuffer.from(context, pattern), DeviceBuffer.from(context, pattern)];
const to = DeviceBuffer.from(context, new Float32Array(maxLength));

console.error(
  `${describeMachine()}; ${device.name}, driver ${device.driverVersion}; ${rounds} rounds of ${sliceMs} ms`,
);
/** @type {Row[]} */
const rows = [];
for (const width of widths) {
  const kernels = await ShapedKernels.build(context, { type: values.type, vectorWidth: width });
  for (const kind of /** @type {KernelKind[]} */ (values.kind)) {
    for (const n of values.n.map(Number)) rows.push(await compare(kernels, kind, width, n));
  }
}
console.log(table(rows));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);

/**
 * @param {ShapedKernels} kernels
 * @param {KernelKind} kind
 * @param {number} width
 * @param {number} n
 * @returns {Promise<Row>}
 */
async function compare(kernels, kind, width, n) {
  const chosen = kernels.shape(n, kind);
  const shapes = new Map(candidatesFor(device, kind, width, n).map((shape) => [nameOf(shape), shape]));
  shapes.set(nameOf(chosen), chosen);
  /** @type {Map<string, { run: () => void, count: number, samples: number[] }>} */
  const runs = new Map();
  for (const [name, shape] of shapes) {
    const run = () => launch(kernels, kind, shape);
    await check(kind, n, name, run);
    runs.set(name, { run, count: countFor(run), samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const entry of runs.values()) entry.samples.push(time(entry.run, entry.count));
  }
  const all = Object.fromEntries([...runs].map(([name, { samples }]) => [name, significant(median(samples))]));
  const [best, bestUs] = lowest(all);
  const chosenUs = all[nameOf(chosen)] ?? NaN;
  // Per round, because the machine's speed changes between rounds.
  const ratios = runs.get(nameOf(chosen))?.samples.map((us, i) => us / (runs.get(best)?.samples[i] ?? NaN)) ?? [];
  // The 10th percentile, from the rounds with the least other load.
  const quiet = Object.fromEntries([...runs].map(([name, { samples }]) => [name, quantile(samples, 0.1)]));
  const steady = significant((quiet[nameOf(chosen)] ?? NaN) / lowest(quiet)[1]);
  const ratio = significant(median(ratios));
  const row = { kind, width, n, chosen: nameOf(chosen), chosenUs, best, bestUs, ratio, steady, all };
  if (values.all) console.error(row);
  else console.error(`${kind} ${width} ${n}: ${row.chosen} ${chosenUs} us, best ${best} ${bestUs} us`);
  return row;
}

/**
 * @param {ShapedKernels} kernels
 * @param {KernelKind} kind
 * @param {LaunchShape} shape
 */
function launch(kernels, kind, shape) {
  if (kind === "elementwise") kernels.launchAdd(queue, shape, a, b, to);
  else if (kind === "reduction") kernels.launchSum(queue, shape, a, to);
  else kernels.launchScan(queue, shape, a, to);
}

/**
 * @param {KernelKind} kind
 * @param {number} n
 * @param {string} name
 * @param {() => void} run
 */
async function check(kind, n, name, run) {
  run();
  const result = await queue.read(to, Float32Array);
  for (const i of [0, 1, n >> 1, n - 2, n - 1]) {
    const before = Math.floor(i / 16) + 1;
    const expected = kind === "elementwise" ? 2 * Number(i % 16 === 0) : kind === "scan" ? before : Math.ceil(n / 16);
    const got = result[kind === "reduction" ? 0 : i];
    if (got !== expected) {
      throw new Error(`${kind} of ${n} by ${name}: expected ${expected} at [${i}], received ${got}`);
    }
  }
}

/**
 * Returns the number of launches that fill a slice.
 * @param {() => void} run
 */
function countFor(run) {
  time(run, 1);
  const us = Math.min(time(run, 1), time(run, 2));
  return Math.max(1, Math.min(500, Math.round((sliceMs * 1000) / us)));
}

/**
 * @param {() => void} run
 * @param {number} count
 * @returns {number} microseconds per launch
 */
function time(run, count) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) run();
  queue.finishSync();
  return Number(process.hrtime.bigint() - start) / 1000 / count;
}

/** @param {LaunchShape} shape */
function nameOf({ form, groups, local, itemsPerWorkItem }) {
  return `${form} ${groups}×${local}${form === "single" ? "" : `, ${itemsPerWorkItem}`}`;
}

/**
 * @param {Record<string, number>} times
 * @returns {[string, number]}
 */
function lowest(times) {
  return Object.entries(times).reduce((x, y) => (y[1] < x[1] ? y : x));
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const lines = rows.map(
    ({ kind, width, n, chosen, chosenUs, best, bestUs, ratio, steady }) =>
      `| ${kind} | ${width} | ${n.toExponential()} | ${chosen} | ${chosenUs} | ${best} | ${bestUs} | ${ratio} | ${steady} |`,
  );
  return [
    "| kernel | vectors of | n | chosen | µs | best | µs | chosen / best | of p10 |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}
