/** Formats a result as text: a section per group, with columns of fixed width. */
import { formatBytes } from "@cl/base/units";

import { checkCharacteristics } from "./check-result.js";
import type { Characteristics, TransferCurve } from "../measure/characteristics.js";
import { fastest, type Quantity } from "../measure/quantity.js";
import { formatQuantity, formatSpread, formatValue } from "./format.js";

/** A line of the table: name, median and spread. */
type Row = readonly [name: string, value: string, spread: string];

/**
 * Formats a result as a text table of medians and spreads. The spread is half the difference between the 90th and 10th
 * percentile.
 *
 * @example
 * ```ts
 * const measured = await characterize(context.devices[0]!, { quick: true, only: ["launch"] });
 * console.log(characteristicsTable(measured)); // such as a title and a line for each figure
 * ```
 */
export function characteristicsTable(result: Characteristics): string {
  checkCharacteristics(result, "result");
  const { device } = result;
  const sections = [
    section("Timer", timerRows(result), result.timer?.notes),
    section("Launches", launchRows(result), result.launch?.notes),
    section("Transfers", transferRows(result), result.transfer?.notes),
    section("Global memory", memoryRows(result), result.globalMemory?.notes),
    section("Local memory", localRows(result), result.localMemory?.notes),
    section("Arithmetic", computeRows(result), result.compute?.notes),
    section("Atomic additions", atomicRows(result), result.atomics?.notes),
  ];
  const head = [
    `${device.name}, driver ${device.driverVersion}`,
    `${device.platform}, ${device.computeUnits} compute units at ${device.clockFrequency} MHz, ${formatBytes(device.globalMemory)}${result.quick ? " (quick)" : ""}`,
  ];
  return `${[...head, ...sections.flat()].join("\n")}\n`;
}

function section(title: string, rows: readonly Row[], notes: readonly string[] | undefined): readonly string[] {
  if (notes === undefined) return [];
  const lines = rows.map(([name, value, spread]) =>
    `  ${name.padEnd(NAME)}${value.padStart(VALUE)}${spread.padStart(SPREAD)}`.trimEnd(),
  );
  return ["", title, ...lines, ...notes.map((note) => `  not measured: ${note}`)];
}

const NAME = 40;
const VALUE = 18;
const SPREAD = 9;

function row(name: string, quantity: Quantity | undefined): readonly Row[] {
  return quantity === undefined ? [] : [[name, formatQuantity(quantity), formatSpread(quantity)]];
}

function timerRows({ timer }: Characteristics): readonly Row[] {
  if (timer === undefined) return [];
  const plain = (name: string, value: number | undefined): Row[] =>
    value === undefined ? [] : [[name, formatValue(value, "s"), ""]];
  return [
    ...plain("device resolution, reported", timer.deviceResolution),
    ...plain("device resolution, observed", timer.deviceStep),
    ...plain("host resolution, observed", timer.hostStep),
  ];
}

function launchRows({ launch }: Characteristics): readonly Row[] {
  if (launch === undefined) return [];
  const { withEvents, withProfiling } = launch;
  const overhead: Row[] =
    withEvents && withProfiling
      ? [["profiling overhead per kernel", formatValue(withProfiling.median - withEvents.median, "s"), ""]]
      : [];
  return [
    ...row("launch and wait, blocking", launch.latency),
    ...row("launch and wait, promise", launch.awaited),
    ...row("queued to start, device clock", launch.queuedToStart),
    ...row("empty kernel, device clock", launch.emptyKernel),
    ...row("in-order queue", launch.inOrder),
    ...row("out-of-order queue", launch.outOfOrder),
    ...row("launch list", launch.list),
    ...row("launch with an event", withEvents),
    ...row("launch with an event, profiling", withProfiling),
    ...overhead,
  ];
}

const arrows = { hostToDevice: "to device", deviceToHost: "to host", deviceToDevice: "in device" } as const;

export function curveName({ kind, direction }: Pick<TransferCurve, "kind" | "direction">): string {
  return kind === "device" ? "device to device" : `${kind} ${arrows[direction]}`;
}

function transferRows({ transfer }: Characteristics): readonly Row[] {
  if (transfer === undefined) return [];
  const ends = transfer.curves.flatMap((curve) => {
    const [first, last] = [curve.points.at(0), curve.points.at(-1)];
    if (first === undefined || last === undefined) return [];
    const name = curveName(curve);
    return [
      ...(first === last ? [] : row(`${name}, ${formatBytes(first.bytes)}`, first.time)),
      ...row(`${name}, ${formatBytes(last.bytes)}`, last.bandwidth),
    ];
  });
  const { bytes, map, copyFrom, copyTo, unmap } = transfer.mapping;
  const size = formatBytes(bytes);
  return [
    ...ends,
    ...row(`map for reading, ${size}`, map),
    ...row(`copy from mapped memory, ${size}`, copyFrom),
    ...row(`copy to mapped memory, ${size}`, copyTo),
    ...row(`unmap after writing, ${size}`, unmap),
  ];
}

function memoryRows({ globalMemory }: Characteristics): readonly Row[] {
  const entries = globalMemory?.entries ?? [];
  return (["read", "write", "copy"] as const).flatMap((operation) => {
    const widths = [...new Set(entries.filter((entry) => entry.operation === operation).map(({ width }) => width))];
    return widths.flatMap((width) => {
      const best = fastest(entries.filter((entry) => entry.operation === operation && entry.width === width));
      return row(`${operation} ${vectorName("float", width)}`, best?.rate);
    });
  });
}

function localRows({ localMemory }: Characteristics): readonly Row[] {
  if (localMemory === undefined) return [];
  const { banks, read, dedicated } = localMemory;
  const bankText = banks.observable ? `${banks.count} × ${banks.width} B` : "not observable";
  return [
    ["dedicated memory", dedicated ? "yes" : "no", ""],
    ...read.flatMap(({ width, rate }) => row(`read ${vectorName("float", width)}`, rate)),
    ["banks", bankText, ""],
    ...(banks.observable ? [] : [[`  ${banks.reason}`, "", ""] as const]),
  ];
}

function computeRows({ compute }: Characteristics): readonly Row[] {
  const entries = compute?.entries ?? [];
  return entries.flatMap(({ type, width, chains, rate }) =>
    row(`${vectorName(type, width)}, ${chains === 1 ? "1 dependent chain" : `${chains} independent chains`}`, rate),
  );
}

function atomicRows({ atomics }: Characteristics): readonly Row[] {
  return (atomics?.entries ?? []).flatMap(({ memory, target, rate }) =>
    row(`${memory}, ${target === "one" ? "same address" : "separate addresses"}`, rate),
  );
}

function vectorName(type: string, width: number): string {
  return width === 1 ? type : `${type}${width}`;
}
