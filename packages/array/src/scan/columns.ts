/**
 * Scans along an axis that is not the last: adjacent elements are in different columns, which are scanned in parallel
 * without a transposition. Long columns are divided into chunks, whose totals are computed first.
 */
import { sizeOf } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import type { Device } from "@cl/core";
import { computeType } from "../kernels/compute-type.js";
import { exactOptions } from "../kernels/exact-options.js";
import { programOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import type { Runner } from "../reductions/launch-reduction.js";
import { Storage } from "../storage/storage.js";
import { typeNamed } from "../types/dtype-name.js";
import { type ColumnTexts, columnsSource } from "./columns-source.js";
import { type Columns, columnsOf } from "./lines.js";
import type { ScanOperands, ScanTask } from "./scan-task.js";
import { partBytes } from "./scan-texts.js";
import { itemAt, memoryParameters, storeAt, taskHead } from "./task-source.js";

/** Maximum number of columns that a CPU work-item scans together: their items stay in the L1 cache. */
const maxColumns = 256;

interface Division {
  readonly chunks: number;
  readonly width: number;
  readonly units: number;
}

/** Enqueues it. */
export function runColumns(
  runner: Runner,
  task: ScanTask,
  { inputs, scalars, target }: ScanOperands,
  axis: number,
): void {
  const { queue, allocator } = runner;
  const { shape } = target.layout;
  const length = shape[axis] as number;
  const inner = sizeOf(shape.slice(axis + 1));
  const outer = sizeOf(shape) / length / inner;
  const all = [...inputs, target].map(
    ({ layout, dtype }) => columnsOf(layout, typeNamed(dtype).itemSize, axis) as Columns,
  );
  const reach = Math.max(
    ...all.map(
      (one) =>
        Math.abs(one.offset) + Math.abs(one.outer) * outer + Math.abs(one.step) * length + Math.abs(one.inner) * inner,
    ),
  );
  const short = Math.max(reach, outer * length * inner) < 2 ** 31 - 2 ** 16;
  const { chunks, width, units } = divide(queue.device, outer, length, inner);
  const side = all.map((one) => one.inner === 1);
  const segments = task.starts !== undefined;
  const types = { inputs: inputs.map(({ dtype }) => dtype), target: target.dtype };
  const key = [
    task.reduction.key,
    task.value.id,
    Object.values(types).join(),
    side.join(),
    String(task.exclusive),
    task.starts ?? "",
    String(short),
    width === 1,
  ].join("|");
  const source = (): string => {
    const values = scalars.map(({ dtype }, k) => `const ${computeType(dtype)} s${k}`);
    const own = { ...types, inputs: types.inputs.slice(0, task.starts) };
    const at = (k: number): string => `place${k} + ${side[k] === true ? "c" : `c * places.inner_stride[${k}]`}`;
    const texts: ColumnTexts = {
      head: taskHead(task, own, values),
      item: task.reduction.accumulator,
      identity: task.reduction.identity,
      combine: task.reduction.combine,
      value: itemAt(
        own,
        scalars.map((_, k) => `s${k}`),
        at,
      ),
      start: task.starts === undefined ? undefined : `in${task.starts}[${at(task.starts)}] != 0`,
      output: storeAt(types, task.exclusive ? "before" : "item", at(types.inputs.length)),
      parameters: memoryParameters(types, values),
      operands: all.length,
      width: width === 1 ? 1 : maxColumns,
      short,
    };
    return columnsSource(texts);
  };
  const program = programOf(queue.context, `columns ${key}`, () => ({
    source,
    label: `${task.reduction.name} of arrays`,
    options: exactOptions(queue.context),
  }));
  const items = program.kernel("column_items");
  const list = (name: keyof Columns): readonly number[] => all.map((one) => one[name]);
  const numbers = [
    outer,
    length,
    inner,
    chunks,
    Math.ceil(inner / width),
    width,
    ...list("offset"),
    ...list("outer"),
    ...list("step"),
    ...list("inner"),
  ];
  const places = short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
  const memory = [...inputs, target].map(({ storage }) => storage.memory);
  const values = scalars.map(({ value }) => value);
  const sizes = hasParallelWorkItems(queue.device) ? wholeGroups(queue.device, units) : { global: units, local: 1 };
  const reads = inputs.map(({ storage }) => storage).filter((storage) => storage !== target.storage);
  if (chunks === 1) {
    launchOrdered(queue, items, sizes, [...memory, ...values, null, places], reads, [target.storage]);
    return;
  }
  const bytes = partBytes({ itemBytes: task.reduction.accumulatorBytes }, segments);
  const scratch = new Storage(allocator, outer * chunks * inner * bytes);
  scratch.retain();
  try {
    const args = [...memory, ...values, scratch.memory, places];
    launchOrdered(
      queue,
      program.kernel("column_totals"),
      sizes,
      args,
      inputs.map(({ storage }) => storage),
      [scratch],
    );
    launchOrdered(queue, items, sizes, args, [...reads, scratch], [target.storage]);
  } finally {
    scratch.release();
  }
}

/** Enough work for all of the device; chunks cost that all elements are read twice. */
function divide(device: Device, outer: number, length: number, inner: number): Division {
  if (hasParallelWorkItems(device)) {
    const wanted = device.maxComputeUnits * 1024;
    const columns = outer * inner;
    const most = Math.ceil(Math.sqrt(length));
    const chunks = Math.max(1, Math.min(most, Math.ceil(length / 16), Math.floor(wanted / columns)));
    return { chunks, width: 1, units: columns * chunks };
  }
  const wanted = device.maxComputeUnits * 8;
  const width = Math.max(2, Math.min(maxColumns, inner));
  const tiles = Math.ceil(inner / width);
  const useful = Math.ceil((length * width) / 8192);
  const chunks = Math.max(1, Math.min(useful, length, Math.ceil(wanted / (outer * tiles))));
  return { chunks, width, units: outer * tiles * chunks };
}
