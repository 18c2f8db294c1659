/** Scans of arrays along an axis, by the kernel that suits their layout. */
import { sizeOf } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import type { CommandQueue } from "@cl/core";
import { computeType } from "../kernels/compute-type.js";
import type { Operand } from "../storage/operand.js";
import { quadTexts, wideTexts } from "./wide-texts.js";
import type { Runner } from "../reductions/launch-reduction.js";
import type { Storage } from "../storage/storage.js";
import { typeNamed } from "../types/dtype-name.js";
import { runColumns } from "./columns.js";
import { launchPrepared, type PreparedScan, prepareScan } from "./launch-scan.js";
import { sharedPrograms } from "../kernels/kernel-cache.js";
import { columnsOf, type Lines, linesOf } from "./lines.js";
import type { ScanOperands, ScanTask } from "./scan-task.js";
import type { ScanTexts } from "./scan-texts.js";
import { itemAt, memoryParameters, storeAt, taskHead } from "./task-source.js";

/** Returns whether kernels support the layout of the operands; contiguous ones are supported. */
export function canRun({ inputs, target }: ScanOperands, axis: number): boolean {
  const side = isInnermost(target, axis) ? linesOf : columnsOf;
  return [...inputs, target].every(({ layout, dtype }) => side(layout, typeNamed(dtype).itemSize, axis) !== undefined);
}

/** A scan with all that it needs but memory and values of the host. */
export interface PreparedLines {
  readonly prepared: PreparedScan;
  readonly places: readonly (number | bigint)[];
}

/** Enqueues a scan of operands that {@link canRun}. Returns its plan if similar calls can reuse it. */
export function runScan(
  runner: Runner,
  task: ScanTask,
  operands: ScanOperands,
  axis: number,
): PreparedLines | undefined {
  if (sizeOf(operands.target.layout.shape) === 0) return undefined;
  if (!isInnermost(operands.target, axis)) {
    runColumns(runner, task, operands, axis);
    return undefined;
  }
  const lines = prepareLines(runner, task, operands, axis);
  const { inputs, scalars, target } = operands;
  const storages = inputs.map(({ storage }) => storage);
  const values = scalars.map(({ value }) => value);
  launchLines(runner, lines, storages, values, target.storage);
  return lines;
}

/** Enqueues it for other memory than it was prepared for. */
export function launchLines(
  runner: Runner,
  { prepared, places }: PreparedLines,
  inputs: readonly Storage[],
  values: readonly unknown[],
  target: Storage,
): void {
  launchPrepared(runner, prepared, {
    values: [...inputs.map(({ memory }) => memory), target.memory, ...values, ...places],
    reads: inputs,
    writes: [target],
  });
}

/** True if there are no axes behind it. */
function isInnermost({ layout: { shape } }: Operand, axis: number): boolean {
  return shape.slice(axis + 1).every((extent) => extent === 1);
}

/** How the text finds an operand's elements: by their number, evenly spaced, or by row and column. */
type Way = "dense" | "even" | "rows";

function prepareLines(
  runner: Runner,
  task: ScanTask,
  { inputs, scalars, target }: ScanOperands,
  axis: number,
): PreparedLines {
  const { queue } = runner;
  const { shape } = target.layout;
  const length = shape[axis] as number;
  const rows = sizeOf(shape) / length;
  const all = [...inputs, target].map(({ layout, dtype }) => linesOf(layout, typeNamed(dtype).itemSize, axis) as Lines);
  const ways = all.map(({ row, step }): Way =>
    rows > 1 && row !== step * length ? "rows" : step === 1 ? "dense" : "even",
  );
  const reach = Math.max(
    ...all.map(({ offset, row, step }) => Math.abs(offset) + Math.abs(row) * rows + Math.abs(step) * length),
  );
  const short = Math.max(reach, rows * length) < 2 ** 31 - 2 ** 16;
  const streams = isStreamed(queue, all.at(-1) as Lines, ways, target, rows * length, length);
  // Vectors have four elements at most.
  const aligned = all.map(({ offset }, k) => ways[k] === "dense" && offset % 4 === 0);
  const types = { inputs: inputs.map(({ dtype }) => dtype), target: target.dtype };
  const key = [
    task.reduction.key,
    task.value.id,
    Object.values(types).join(),
    ways.join(),
    String(task.exclusive),
    task.starts ?? "",
    String(short),
    String(streams),
    hasParallelWorkItems(queue.device) ? aligned.join() : "",
  ].join("|");
  const texts = (): ScanTexts => linesTexts(queue, task, types, scalars, { ways, aligned }, short, streams);
  const index = (value: number): number | bigint => (short ? value : BigInt(value));
  const places = all.flatMap(({ offset, row, step }, k) =>
    ways[k] === "dense" ? [offset] : ways[k] === "even" ? [offset, step] : [offset, step, row],
  );
  const prepared = prepareScan(queue, sharedPrograms, key, texts, { rows, length });
  return { prepared, places: places.map(index) };
}

/** Returns whether the results are better written with non-temporal stores, and in whole vectors. */
function isStreamed(
  { device }: CommandQueue,
  { offset }: Lines,
  ways: readonly Way[],
  { dtype }: Operand,
  size: number,
  length: number,
): boolean {
  const { itemSize } = typeNamed(dtype);
  if (hasParallelWorkItems(device) || ways.at(-1) !== "dense" || (offset * itemSize) % 64 !== 0) return false;
  return 2 * size * itemSize > device.globalMemCacheSize && (length === size || length % 64 === 0);
}

function linesTexts(
  queue: CommandQueue,
  task: ScanTask,
  types: Parameters<typeof itemAt>[0],
  scalars: ScanOperands["scalars"],
  { ways, aligned }: { readonly ways: readonly Way[]; readonly aligned: readonly boolean[] },
  short: boolean,
  streams: boolean,
): ScanTexts {
  const { reduction, exclusive, starts } = task;
  const index = short ? "int" : "long";
  const values = scalars.map(({ dtype }, k) => `const ${computeType(dtype)} s${k}`);
  const names = scalars.map((_, k) => `s${k}`);
  const places = ways.flatMap((way, k) =>
    [`offset${k}`, ...(way === "dense" ? [] : [`step${k}`]), ...(way === "rows" ? [`row${k}`] : [])].map(
      (name) => `const ${index} ${name}`,
    ),
  );
  const at = (k: number): string =>
    ways[k] === "dense"
      ? `offset${k} + n_`
      : ways[k] === "even"
        ? `offset${k} + n_ * step${k}`
        : `offset${k} + row_ * row${k} + column_ * step${k}`;
  const own = { ...types, inputs: types.inputs.slice(0, starts) };
  const target = at(types.inputs.length);
  return {
    name: reduction.name,
    head: taskHead(task, own, values),
    item: reduction.accumulator,
    itemBytes: reduction.accumulatorBytes,
    identity: reduction.identity,
    combine: reduction.combine,
    commutative: true,
    value: itemAt(own, names, at),
    start: starts === undefined ? undefined : `in${starts}[${at(starts)}] != 0`,
    output: storeAt(types, exclusive ? "prev_" : "item_", target),
    usesPrev: exclusive,
    usesLast: false,
    parameters: [...memoryParameters(types, values), ...places],
    short,
    usesPlaces: ways.includes("rows"),
    quads: quadTexts(task, types, names, at, aligned),
    wide: wideTexts(
      queue.device,
      task,
      types,
      at,
      ways.map((way) => way === "dense"),
      streams,
    ),
  };
}
