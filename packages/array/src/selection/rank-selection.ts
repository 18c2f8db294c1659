/** Selection of elements of long lines by rank, without sorting. */
import { hasParallelWorkItems } from "@cl/characterize";
import { Disposals } from "../storage/disposals.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { keyTypeOf } from "../sorting/key-source.js";
import type { Storage } from "../storage/storage.js";
import { firstOf } from "../elementwise/contiguous-as.js";
import { rankDigits, rankSource } from "./rank-source.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** Shorter lines take no longer to sort. */
const minLength = 2 ** 18;
/** Each rank is compared with every element. */
const maxRanks = 4;
const maxLength = 2 ** 32 - 2 ** 16;
/** Number of chunks: enough to keep the cores evenly busy, and few enough to leave each a substantial share. */
const maxChunks = 16;
const minChunk = 16_384;

/** True where it is faster than a sort: on processors, for few ranks of each of some long lines without gaps. */
export function selectsRanks(lines: AnyArray, ranks: number): boolean {
  const { device } = lines.xp.queue;
  const { dtype, layout } = lines.operand();
  const length = lines.shape.at(-1) ?? 1;
  const suits = length >= minLength && length <= maxLength && ranks <= maxRanks;
  const { key, itemSize } = keyTypeOf(dtype);
  return suits && !hasParallelWorkItems(device) && key !== "ulong2" && layout.offset % itemSize === 0;
}

/** Lines without gaps, and how many ranks of each are looked for. */
export interface RankTask {
  readonly lines: AnyArray;
  readonly descending: boolean;
  readonly ranks: number;
}

/** Lines in which elements of some ranks are found. Release it when what is wanted of them was enqueued. */
export class RankSelection implements Disposable {
  /** The ranks of each line, from 0; afterwards how many of the keys that are the same come before. */
  readonly ranks: ArrayRef<"uint32">;
  /** How many chunks a line has. */
  readonly chunks: number;
  /** For each chunk of each line, how many elements are NaN. They are there before the ranks are said. */
  readonly nones: ArrayRef<"uint32">;
  readonly #all = new Disposals();
  readonly #task: RankTask;
  readonly #lines: number;
  readonly #numbers: Uint32Array;
  readonly #prefixes: AnyArray;
  readonly #less: AnyArray;
  readonly #same: AnyArray;

  /** Enqueues it. `setRanks` enqueues what writes the ranks. */
  constructor(task: RankTask, setRanks: (selection: RankSelection) => void) {
    const { lines, ranks } = task;
    const { xp, size, dtype } = lines;
    const length = lines.shape.at(-1) as number;
    this.#task = task;
    this.#lines = size / length;
    const wanted = Math.min(Math.ceil(maxChunks / this.#lines), Math.ceil(length / minChunk));
    const chunk = Math.ceil(length / wanted / 16) * 16;
    this.chunks = Math.ceil(length / chunk);
    this.#numbers = Uint32Array.of(length, chunk, this.chunks, ranks);
    const all = this.#all;
    try {
      const count = this.#lines * ranks;
      this.ranks = all.use(xp.empty([count], { dtype: "uint32" }));
      this.nones = all.use(xp.empty([this.#lines * this.chunks], { dtype: "uint32" }));
      this.#prefixes = all.use(
        xp.empty([count], { dtype: keyTypeOf(dtype.name).key === "ulong" ? "uint64" : "uint32" }),
      );
      this.#less = all.use(xp.empty([count * (this.chunks + 1)], { dtype: "uint32" }));
      this.#same = all.use(xp.empty([count * (this.chunks + 1)], { dtype: "uint32" }));
      this.#find(setRanks);
    } catch (error) {
      all[Symbol.dispose]();
      throw error;
    }
  }

  #find(setRanks: (selection: RankSelection) => void): void {
    const { lines, ranks } = this.#task;
    const { passes, bins } = rankDigits(lines.dtype.name);
    const items = this.#lines * this.chunks;
    using counts = lines.xp.empty([items * ranks * bins], { dtype: "uint32" });
    const [source, counted, left, prefixes, less, same, nones] = storages(
      lines,
      counts,
      this.ranks,
      this.#prefixes,
      this.#less,
      this.#same,
      this.nones,
    );
    for (let pass = 0; pass < passes; pass++) {
      this.#launch("count", items, [source, prefixes], [counted, nones], [firstOf(lines), pass]);
      if (pass === 0) setRanks(this);
      this.#launch("pick", this.#lines, [counted], [left, prefixes, less, same], [pass]);
    }
  }

  /** Enqueues kernels that write all elements up to the rank in each row, and their indices. Only equal elements keep their order. */
  takeFirst(elements: AnyArray, places: AnyArray): void {
    const { lines } = this.#task;
    const reads = storages(lines, this.ranks, this.#prefixes, this.#less, this.#same);
    this.#launch("take_first", this.#lines * this.chunks, reads, storages(elements, places), [firstOf(lines)]);
  }

  /** Enqueues what writes all of each line, divided by the element of its one rank; or their places, for an int64 array. */
  divide(target: AnyArray, what: "elements" | "places"): void {
    const { lines } = this.#task;
    const reads = storages(lines, this.#prefixes, this.#less, this.#same);
    const name = what === "elements" ? "divide" : "divide_places";
    this.#launch(name, this.#lines * this.chunks, reads, storages(target), [firstOf(lines)]);
  }

  /** Enqueues what writes the element of each rank, line by line. */
  takeEach(elements: AnyArray): void {
    const { lines, ranks } = this.#task;
    const reads = storages(lines, this.ranks, this.#prefixes, this.#same);
    this.#launch("take_each", this.#lines * ranks, reads, storages(elements), [firstOf(lines)]);
  }

  [Symbol.dispose](): void {
    this.#all[Symbol.dispose]();
  }

  /** The kernels take what they read, what they write, the lines' numbers, and the rest. */
  #launch(
    name: string,
    items: number,
    reads: readonly Storage[],
    writes: readonly Storage[],
    rest: readonly unknown[],
  ): void {
    const { lines, descending } = this.#task;
    const { queue } = lines.xp;
    const dtype = lines.dtype.name;
    const kernel = kernelOf(queue.context, `ranks ${dtype} ${String(descending)}`, name, () =>
      rankSource({ dtype, descending }),
    );
    const memory = [...reads, ...writes].map((one) => one.memory as unknown);
    launchOrdered(queue, kernel, { global: items, local: 1 }, [...memory, this.#numbers, ...rest], reads, writes);
  }
}

function storages<const A extends readonly AnyArray[]>(...arrays: A): { [K in keyof A]: Storage } {
  return arrays.map((array) => array.operand().storage) as { [K in keyof A]: Storage };
}
