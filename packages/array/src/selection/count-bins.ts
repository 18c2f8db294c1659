/** Counts of elements by bin, and sums of their weights. */
import { hasParallelWorkItems } from "@cl/characterize";
import { filled } from "../storage/filled.js";
import { faultNotes } from "../faults/device-faults.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import type { Storage } from "../storage/storage.js";
import type { DTypeName } from "../types/dtype-name.js";
import { addUpSource, binsGroup, type BinsPlan, binsSource, maxLocalBins } from "./bins-source.js";
import { contiguousAs, firstOf } from "../elementwise/contiguous-as.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";

/** What is counted. */
export interface BinsTask {
  /** The elements, contiguous. */
  readonly elements: AnyArray;
  readonly bins: number;
  /** The edges, one more than bins, contiguous. If undefined, the elements are bin indices. */
  readonly edges?: { readonly array: AnyArray; readonly even: boolean } | undefined;
  /** As many as elements. */
  readonly weights?: AnyArray | undefined;
}

/** Number of chunks: enough to keep the cores of a CPU evenly busy under other load. */
const chunks = 16;
const minChunk = 4096;
const maxGroups = 1024;
/** Maximum total number of bins of all parts, if there are several. */
const maxBins = 2 ** 21;
/** Counts of a launch fit into 32 bits. */
const maxElements = 2 ** 31;

/** The type in which weights are added: with double precision where the device has it. */
export function weightType({ queue: { device } }: Pick<ArraySource, "queue">): "float32" | "float64" {
  const adds = !hasParallelWorkItems(device) || device.hasExtension("cl_khr_int64_base_atomics");
  return device.doubleFpConfig !== 0 && adds ? "float64" : "float32";
}

/** Counts; int64, or what {@link weightType} says. */
export function countBins(xp: ArraySource, task: BinsTask): AnyArray {
  const type = task.weights === undefined ? "none" : weightType(xp);
  const total = type === "none" ? "int64" : type;
  const { size } = task.elements;
  if (size === 0 || task.bins === 0) return xp.zeros([task.bins], { dtype: total });
  using weights = task.weights === undefined ? undefined : contiguousAs(task.weights, total);
  return filled(xp.empty([task.bins], { dtype: total as DTypeName }), (totals) => {
    for (let start = 0; start < size; start += maxElements) {
      countPart(xp, task, weights, totals, type, start, Math.min(size - start, maxElements));
    }
  });
}

function countPart(
  xp: ArraySource,
  { elements, bins, edges }: BinsTask,
  weights: AnyArray | undefined,
  totals: AnyArray,
  type: BinsPlan["weights"],
  start: number,
  size: number,
): void {
  const { queue } = xp;
  const { parts, count, part, sizes } = divide(xp, bins, size);
  const plan: BinsPlan = {
    parts,
    dtype: elements.dtype.name,
    edges: edges?.array.dtype.name,
    weights: type,
  };
  const key = JSON.stringify(plan);
  const counting = kernelOf(queue.context, `count bins ${key}`, "count", () => binsSource(plan));
  const adding = kernelOf(queue.context, `add up bins ${type}`, "add_up", () => addUpSource(type));
  const options = { dtype: type === "none" ? ("uint32" as const) : type };
  using counts = parts === "shared" ? xp.zeros([bins], options) : xp.empty([count * bins], options);
  const from = elements.operand().storage;
  const into = counts.operand().storage;
  const result = totals.operand().storage;
  const auxiliary: Storage = edges === undefined ? faultNotes(xp) : edges.array.operand().storage;
  const weighing = weights?.operand().storage;
  launchOrdered(
    queue,
    counting,
    sizes,
    [
      from.memory,
      firstOf(elements) + BigInt(start),
      auxiliary.memory,
      ...(edges === undefined ? [] : [firstOf(edges.array), edges.even ? 1 : 0]),
      ...(weights === undefined ? [] : [weighing?.memory, firstOf(weights) + BigInt(start)]),
      into.memory,
      bins,
      BigInt(size),
      BigInt(part),
    ],
    [from, auxiliary, ...(weighing === undefined ? [] : [weighing])],
    [into],
  );
  launchOrdered(
    queue,
    adding,
    wholeGroups(queue.device, bins),
    [into.memory, count, result.memory, bins, start > 0 ? 1 : 0],
    [into],
    [result],
  );
}

interface Division {
  readonly parts: BinsPlan["parts"];
  /** Number of separate sets of bins. */
  readonly count: number;
  /** Number of elements of a chunk, or the stride between the elements of a work-item. */
  readonly part: number;
  readonly sizes: { readonly global: number; readonly local: number };
}

function divide({ queue: { device } }: ArraySource, bins: number, size: number): Division {
  const most = Math.max(1, Math.floor(maxBins / bins));
  if (!hasParallelWorkItems(device)) {
    const wanted = Math.min(chunks, most, Math.ceil(size / minChunk));
    const part = Math.ceil(size / wanted);
    const count = Math.ceil(size / part);
    return { parts: "chunks", count, part, sizes: { global: count, local: 1 } };
  }
  const groups = Math.min(maxGroups, Math.ceil(size / (binsGroup * 16)));
  const sizes = (count: number): Division["sizes"] => ({ global: count * binsGroup, local: binsGroup });
  if (bins > maxLocalBins) return { parts: "shared", count: 1, part: groups * binsGroup, sizes: sizes(groups) };
  const count = Math.min(groups, most);
  return { parts: "groups", count, part: count * binsGroup, sizes: sizes(count) };
}
