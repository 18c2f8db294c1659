/** Plots of results. */
import { typeError } from "@cl/base";
import { formatBytes, formatCompact } from "@cl/base/units";

import type { Characteristics, ComputeType } from "../measure/characteristics.js";
import { fastest, type Quantity } from "../measure/quantity.js";
import { drawBars } from "./bars.js";
import { type Chart, drawChart, type Series } from "./chart.js";
import { checkCharacteristics } from "./check-result.js";
import { formatQuantity } from "./format.js";
import { curveName } from "./table.js";

const computeTypes = ["float", "double", "half", "int"] as const;

/**
 * Draws a roofline plot as SVG: the attainable operations per second over operations per byte. The slopes are the
 * measured bandwidths, the ceilings the measured rates of multiply-add. Throws unless the result has the groups
 * `globalMemory` and `compute`.
 */
export function rooflinePlot(result: Characteristics): string {
  checkCharacteristics(result, "result");
  const memory = fastest(result.globalMemory?.entries ?? []);
  const ceilings = computeTypes.flatMap((type) => ceiling(result, type));
  if (memory === undefined || ceilings.length === 0) {
    throw typeError("result", "a result with the groups globalMemory and compute", Object.keys(result));
  }
  const local = fastest(result.localMemory?.read ?? []);
  const roofs: readonly (readonly [name: string, rate: Quantity])[] = [
    ["global memory", memory.rate],
    ...(local === undefined ? [] : [["local memory", local.rate] as const]),
  ];
  const highest = Math.max(...ceilings.map(({ rate }) => rate.median));
  const lowest = Math.min(...ceilings.map(({ rate }) => rate.median));
  const slowest = Math.min(...roofs.map(([, rate]) => rate.median));
  const right = 10 ** Math.ceil(Math.log10((highest / slowest) * 4));
  const left = Math.min(0.1, 10 ** Math.floor(Math.log10(lowest / slowest / 20)));
  const series: Series[] = ceilings.map(({ name, rate }) => ({
    name: `${name}: ${formatQuantity(rate)}`,
    points: [
      [Math.max(left, rate.median / Math.max(...roofs.map(([, roof]) => roof.median))), rate.median],
      [right, rate.median],
    ],
  }));
  for (const [name, rate] of roofs) {
    const points = [
      [left, left * rate.median],
      [highest / rate.median, highest],
    ] as const;
    series.push({ name: `${name}: ${formatQuantity(rate)}`, points, dashed: true });
  }
  return drawChart({
    ...heading("Roofline", result),
    x: { label: "operations per byte", base: 10, format: (value) => String(Number(value.toPrecision(1))) },
    y: { label: "operations per second", base: 10, format: formatCompact },
    series,
  });
}

function ceiling(result: Characteristics, type: ComputeType): { readonly name: string; readonly rate: Quantity }[] {
  const best = fastest((result.compute?.entries ?? []).filter((entry) => entry.type === type));
  return best === undefined ? [] : [{ name: best.width === 1 ? type : `${type}${best.width}`, rate: best.rate }];
}

/** Draws the bandwidth of transfers over their size as SVG. Throws unless the result has the group `transfer`. */
export function bandwidthPlot(result: Characteristics): string {
  checkCharacteristics(result, "result");
  const curves = result.transfer?.curves ?? [];
  if (curves.length === 0) throw typeError("result", "a result with the group transfer", Object.keys(result));
  return drawChart({
    ...heading("Transfers", result),
    x: { label: "bytes", base: 2, format: formatBytes },
    y: { label: "bytes per second", base: 10, format: formatCompact },
    series: curves.map((curve) => ({
      name: curveName(curve),
      points: curve.points.map(({ bytes, bandwidth }) => [bytes, bandwidth.median] as const),
      marks: true,
    })),
  });
}

/** Draws the launches per second of each launch method as SVG. Throws unless the result has the group `launch`. */
export function launchPlot(result: Characteristics): string {
  checkCharacteristics(result, "result");
  const { launch } = result;
  if (launch === undefined) throw typeError("result", "a result with the group launch", Object.keys(result));
  const each = (name: string, time: Quantity | undefined): { name: string; value: number }[] =>
    time === undefined ? [] : [{ name, value: 1 / time.median }];
  const rate = (name: string, quantity: Quantity | undefined): { name: string; value: number }[] =>
    quantity === undefined ? [] : [{ name, value: quantity.median }];
  return drawBars({
    ...heading("Launches", result),
    label: "launches per second",
    format: formatCompact,
    bars: [
      ...each("each awaited (promise)", launch.awaited),
      ...each("each awaited (blocking)", launch.latency),
      ...each("with events and profiling", launch.withProfiling),
      ...each("with events", launch.withEvents),
      ...rate("out of order", launch.outOfOrder),
      ...rate("in order", launch.inOrder),
      ...rate("in a launch list", launch.list),
    ],
  });
}

function heading(title: string, { device }: Characteristics): Pick<Chart, "title" | "subtitle"> {
  return { title, subtitle: `${device.name}, driver ${device.driverVersion}` };
}
