/**
 * A mask whose true elements have been counted, block by block, on the device. The host reads their number only if
 * needed; writes are enqueued without it. A pending mask need not be stored for that.
 */
import { contiguousLayout, wrongValue } from "@cl/base";
import { input } from "../expression/expression.js";
import { runCombined } from "../lazy/pending-value.js";
import { filled } from "../storage/filled.js";
import { collapse } from "../kernels/collapse.js";
import type { GeneratedKernel } from "../kernels/generated-program.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { hasShortPlaces, type Operand } from "../storage/operand.js";
import { countsToOffsets } from "../scan/offsets.js";
import { type Division, divideInParts, type Parts } from "../scan/parts.js";
import { TotalRead } from "../scan/total.js";
import type { Storage } from "../storage/storage.js";
import { typeNamed } from "../types/dtype-name.js";
import { type CompactPlan, countSource, type EmissionKind, groupOf, writeSource } from "./compact-source.js";
import { ComputedMask } from "./computed-mask.js";
import { faultNotes } from "../faults/device-faults.js";
import { countSentence } from "../faults/index-faults.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { fill } from "../elementwise/assign.js";

/** What is written for the true elements; nothing if it is `exact` and their number differs from the given one. */
export type Emission =
  /** Elements of a contiguous array of the mask's shape. */
  | { readonly kind: "values"; readonly source: Operand; readonly target: Operand }
  /** Positions in C order, of the type that {@link CountedMask.positionType} says. */
  | { readonly kind: "positions"; readonly target: Operand; readonly exact: boolean }
  /** int64 of shape [axes, limit]. */
  | { readonly kind: "coordinates"; readonly target: Operand }
  /** Contiguous values, stored into an array of the mask's shape. */
  | { readonly kind: "store"; readonly source: Operand; readonly target: Operand; readonly exact: boolean };

/** An element of the mask. */
const flag = input(0, "bool");

/** How a mask is counted. */
interface CountOptions {
  /** The kind of parts. @defaultValue the best for the device */
  readonly parts?: Parts | undefined;
  /** The elements that will be selected, if only they will be written. Kernels of GPUs then compute a pending mask themselves. */
  readonly source?: Operand | undefined;
  /** Other elements that will be read or written in the order of the mask. */
  readonly others?: readonly Operand[];
}

/** A mask with the offsets of its parts. */
export class CountedMask {
  readonly shape: readonly number[];
  readonly size: number;
  readonly xp: ArraySource;
  /** Without gaps; a copy if the mask has some. */
  readonly #mask: AnyArray;
  readonly #isCopy: boolean;
  /** Set if the mask was not stored to be counted. */
  #computed: ComputedMask | undefined;
  readonly #offsets: ArrayRef<"int32" | "int64">;
  readonly #division: Division;
  readonly #short: boolean;

  /** Enqueues the counts. */
  constructor(mask: AnyArray, { parts, source, others = [] }: CountOptions = {}) {
    const { xp } = mask;
    const { queue } = xp;
    this.xp = xp;
    this.shape = mask.shape;
    this.size = mask.size;
    // A small part of large memory may be far from its start.
    const operands = [mask.operand(), ...(source === undefined ? [] : [source]), ...others];
    this.#short = this.size < 2 ** 31 - 2 ** 20 && operands.every(hasShortPlaces);
    this.#division = divideInParts(queue.device, this.size, parts);
    this.#isCopy = mask.dtype.name !== "bool" || !mask.isContiguous;
    this.#mask = this.#isCopy ? filled(xp.empty(mask.shape, { dtype: "bool" }), (copy) => copy.assign(mask)) : mask;
    try {
      this.#offsets =
        source === undefined || this.#division.parts === "chunks" ? this.#counts() : this.#computedCounts(source);
    } catch (error) {
      if (this.#isCopy) this.#mask.release();
      throw error;
    }
  }

  #counts(): ArrayRef<"int32" | "int64"> {
    return filled(this.xp.empty([this.#division.count + 1], { dtype: this.positionType }), (offsets) => {
      this.#countInto(offsets);
    });
  }

  /** Counts a mask that is stored only if kernels should not compute it. */
  #computedCounts(source: Operand): ArrayRef<"int32" | "int64"> {
    const { xp, shape } = this;
    const mask = this.#mask.operand();
    // Otherwise both the mask and the selection would compute it.
    source.storage.compute();
    const operation = { xp, expressions: [flag], scalars: [], operands: [mask], shape };
    const { itemSize } = typeNamed(source.dtype);
    const plan = this.#plan("values", itemSize, axesOf(source).extents.length, false);
    return runCombined(operation, (whole, values) => {
      this.#computed = ComputedMask.of(whole, values, source, plan);
      if (this.#computed === undefined) mask.storage.compute();
      return this.#counts();
    });
  }

  #countInto(offsets: ArrayRef<"int32" | "int64">): void {
    if (this.size === 0) {
      fill(offsets, 0);
      return;
    }
    const { queue } = this.xp;
    const kernel = this.#computed?.kernel(queue, "count") ?? this.#countKernel();
    const from = this.#computed?.storages ?? [this.#mask.operand().storage];
    const to = offsets.operand().storage;
    const args = [...(this.#computed?.args ?? from.map(({ memory }) => memory)), to.memory, this.#numbers([])];
    launchOrdered(queue, kernel, this.#sizes(), args, from, [to]);
    countsToOffsets(this.xp, offsets.operand(), this.#division.count);
  }

  /** int32 if it can hold all positions, else int64. */
  get positionType(): "int32" | "int64" {
    return this.#short ? "int32" : "int64";
  }

  /** Enqueues the read of the number of true elements. */
  total(): TotalRead {
    return new TotalRead(this.xp.queue, this.#offsets.operand(), this.#division.count);
  }

  /** Enqueues the writes for the first `limit` true elements. */
  write(emission: Emission, limit: number): void {
    const { kind, target } = emission;
    const exact = (kind === "store" || kind === "positions") && emission.exact;
    if (this.size === 0) {
      if (exact && limit !== 0) throw wrongValue(countSentence(0, limit));
      return;
    }
    const operand = kind === "values" ? emission.source : kind === "store" ? emission.target : undefined;
    const places = operand === undefined ? this.#coordinates(kind, limit) : axesOf(operand);
    const itemSize = kind === "positions" || kind === "coordinates" ? 8 : typeNamed(target.dtype).itemSize;
    const plan = this.#plan(kind, itemSize, places.extents.length, exact);
    const { queue } = this.xp;
    const offsets = this.#offsets.operand().storage;
    const computed = kind === "values" && this.#computed?.isCurrent === true ? this.#computed : undefined;
    const kernel =
      computed?.kernel(queue, "write") ??
      kernelOf(queue.context, `write ${keyOf(plan)}`, "write", () => writeSource(plan));
    const flags = computed?.storages ?? [this.#mask.operand().storage];
    // Where there are no elements there is no memory of them; any will do, since it is not used.
    const memoryOf = ({ storage }: Operand): Storage => (storage.bytes === 0 ? offsets : storage);
    const sources = kind === "values" || kind === "store" ? [memoryOf(emission.source)] : [];
    const reads = [offsets, ...sources];
    const notes = exact ? [faultNotes(this.xp)] : [];
    const values = kind === "store" ? emission.source : undefined;
    const valueCount = values === undefined ? limit : (values.layout.shape[0] as number);
    const valueStart = values === undefined ? 0 : values.layout.offset / itemSize;
    const numbers = this.#numbers([limit, places.offset, valueStart, valueCount, ...places.numbers]);
    const memory = [...reads, memoryOf(target), ...notes].map((storage) => storage.memory);
    const first = computed?.args ?? flags.map((storage) => storage.memory);
    const args = [...first, ...memory, this.#division.count, numbers];
    launchOrdered(queue, kernel, this.#sizes(), args, [...flags, ...reads, ...notes], [target.storage]);
  }

  [Symbol.dispose](): void {
    this.#offsets.release();
    if (this.#isCopy) this.#mask.release();
  }

  #countKernel(): GeneratedKernel {
    const plan = this.#plan("positions", 0, 0, false);
    return kernelOf(this.xp.queue.context, `count ${keyOf(plan)}`, "count", () => countSource(plan));
  }

  #plan(kind: EmissionKind, itemSize: number, rank: number, exact: boolean): CompactPlan {
    const aligned = this.#mask.operand().layout.offset % 16 === 0;
    return { kind, itemSize, rank, exact, parts: this.#division.parts, short: this.#short, aligned };
  }

  /** The kernels' `Parts`; what is not given is 0. */
  #numbers(rest: readonly number[]): Int32Array | BigInt64Array {
    const numbers = [this.size, this.#division.part, this.#mask.operand().layout.offset, ...rest];
    while (numbers.length < 9) numbers.push(0);
    return this.#short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
  }

  #sizes(): { readonly global: number; readonly local: number } {
    const local = groupOf(this.#division.parts);
    return { global: Math.max(1, this.#division.count) * local, local };
  }

  /** Where coordinates go: a row for each axis, the innermost axis first. */
  #coordinates(kind: Emission["kind"], limit: number): PlacesBeside {
    if (kind !== "coordinates") return { extents: [], offset: 0, numbers: [] };
    const extents = this.shape.toReversed();
    const rows = extents.map((_, axis) => (extents.length - 1 - axis) * limit);
    return { extents, offset: 0, numbers: [...extents, ...rows] };
  }
}

interface PlacesBeside {
  readonly extents: readonly number[];
  readonly offset: number;
  /** Extents and strides, the innermost axis first. */
  readonly numbers: readonly number[];
}

/** Positions count in C order, so the axes may be joined, but not change places. */
function axesOf({ layout, dtype }: Operand): PlacesBeside {
  const { itemSize } = typeNamed(dtype);
  const axes = collapse([layout, contiguousLayout(layout.shape, 1)], [itemSize, 1]);
  const [strides = [], offset = 0] = [axes.strides[0], axes.offsets[0]];
  const isFlat = strides.length === 0 || (strides.length === 1 && strides[0] === 1);
  if (isFlat) return { extents: [], offset, numbers: [] };
  return { extents: axes.extents, offset, numbers: [...axes.extents, ...strides] };
}

function keyOf(plan: CompactPlan): string {
  return JSON.stringify(plan);
}
