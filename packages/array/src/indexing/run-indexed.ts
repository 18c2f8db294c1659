/** Launches of gather, scatter and update kernels. */
import { contiguousLayout, type Layout, sizeOf } from "@cl/base";
import { NotSupportedError } from "@cl/core";
import { collapse } from "../kernels/collapse.js";
import { hasShortPlaces, type Operand } from "../storage/operand.js";
import { typeNamed } from "../types/dtype-name.js";
import { faultNotes } from "../faults/device-faults.js";
import { type IndexedPlan, type IndexMode, indexedSource, notesFaults } from "./indexed-source.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import type { ArraySource } from "../storage/array-ref.js";

/** An axis of the indexed array: how long it is, and how far apart its elements are, in bytes. */
export interface IndexedAxis {
  readonly extent: number;
  readonly stride: number;
}

/** Indices along one axis, or along several axes flattened in C order. */
export interface IndexTerm {
  /** The indices, broadcast to the shape of the access. */
  readonly operand: Operand;
  readonly mode: IndexMode;
  readonly axes: readonly IndexedAxis[];
  /** Which axis it is, in sentences. */
  readonly axis: number;
}

/** One element for each place of a shape, at a place of `data` that indices name. */
export interface IndexedAccess {
  readonly action: IndexedPlan["action"];
  /** The indexed array, with axes of the shape; where only indices move, their distance is 0. */
  readonly data: Operand;
  /** What elements are stored into, or come from. */
  readonly other: Operand;
  readonly terms: readonly IndexTerm[];
  /** Booleans: other places are left alone. */
  readonly mask?: Operand;
  /** One element, for places that are missing in what is read. */
  readonly fill?: Operand;
}

/** Enqueues it. What is written shares no memory with what is read. */
export function runIndexed(xp: ArraySource, { action, data, other, terms, mask, fill }: IndexedAccess): void {
  const { shape } = other.layout;
  const size = sizeOf(shape);
  if (size === 0) return;
  const { queue } = xp;
  const operands = [data, other, ...terms.map(({ operand }) => operand)];
  for (const one of [mask, fill]) if (one !== undefined) operands.push(one);
  const itemSizes = operands.map(({ dtype }) => typeNamed(dtype).itemSize);
  // The last layout is no operand: it has the axes joined and ordered as the shape says.
  const axes = collapse([...operands.map(({ layout }) => layout), contiguousLayout(shape, 1)], [...itemSizes, 1]);
  const [strides, offsets] = [axes.strides.slice(0, -1), axes.offsets.slice(0, -1)];
  const short = size < 2 ** 31 - 4096 && operands.every(hasShortPlaces);
  const plan: IndexedPlan = {
    action,
    itemSize: itemSizes[0] as number,
    terms: terms.map((term) => ({
      type: typeNamed(term.operand.dtype).cName,
      mode: term.mode,
      axes: term.axes.length,
      axis: term.axis,
    })),
    masked: mask !== undefined,
    filled: fill !== undefined,
    rank: axes.extents.length,
    flat: flatSteps(axes.extents, strides),
    short,
  };
  const kernel = kernelOf(queue.context, keyOf(plan), "indexed", () => indexedSource(plan));
  const counted = terms.flatMap((term) => term.axes);
  const itemSize = itemSizes[0] as number;
  const numbers = [
    size,
    ...offsets,
    ...(plan.rank === 0 ? [1] : axes.extents),
    ...strides.flatMap((list) => (plan.rank === 0 ? [0] : list)),
    ...(counted.length === 0 ? [1] : counted.map(({ extent }) => extent)),
    ...(counted.length === 0 ? [0] : counted.map(({ stride }) => stride / itemSize)),
  ];
  const places = short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
  if (places.byteLength > queue.device.maxParameterSize - 256) {
    throw new NotSupportedError(
      "@cl/array",
      `the layouts of the indices take ${places.byteLength} bytes of kernel arguments, more than '${queue.device.name}' supports; copy() the arrays first`,
    );
  }
  const written = action === "gather" ? other : data;
  const reads = operands.filter((operand) => operand !== written).map(({ storage }) => storage);
  const memory = operands.map(({ storage }) => storage.memory);
  if (notesFaults(plan)) {
    const notes = faultNotes(xp);
    reads.push(notes);
    memory.push(notes.memory);
  }
  const args = [...memory, places];
  launchOrdered(queue, kernel, wholeGroups(queue.device, size), args, reads, [written.storage]);
}

function keyOf({ action, ...rest }: IndexedPlan): string {
  return `indexed ${typeof action === "object" ? action.key : action} ${JSON.stringify(rest)}`;
}

function flatSteps(extents: readonly number[], strides: readonly (readonly number[])[]): readonly number[] | undefined {
  if (extents.length === 0) return strides.map(() => 0);
  if (extents.length > 1) return undefined;
  const steps = strides.map((list) => list[0] as number);
  return steps.every((step) => step === 0 || step === 1) ? steps : undefined;
}

/** The layout with axes of distance 0 put in, so that it has those of a larger shape. */
export function spread(layout: Layout, before: readonly number[], after: readonly number[]): Layout {
  return {
    shape: [...before, ...layout.shape, ...after],
    strides: [...before.map(() => 0), ...layout.strides, ...after.map(() => 0)],
    offset: layout.offset,
  };
}
