/** Conversion of the counts of objects to the starts of their lists. */
import { outOfRange } from "@cl/base";
import { filled } from "../storage/filled.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { countsToOffsets } from "../scan/offsets.js";
import { type Division, divideInParts } from "../scan/parts.js";
import { TotalRead } from "../scan/total.js";
import { startsGroup, startsSource, sumCountsSource } from "./list-source.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";

/** Counts, one for each object, with the sums of their parts. */
export class ListStarts implements Disposable {
  readonly #xp: ArraySource;
  readonly #counts: ArrayRef<"int32">;
  readonly #sums: ArrayRef<"int64">;
  readonly #size: number;
  readonly #division: Division;

  /** Enqueues what adds up the counts, which it releases at the end. There is one at least. */
  constructor(xp: ArraySource, counts: ArrayRef<"int32">) {
    this.#xp = xp;
    this.#counts = counts;
    this.#size = counts.size;
    const { queue } = xp;
    this.#division = divideInParts(queue.device, this.#size);
    const { parts, count } = this.#division;
    this.#sums = filled(xp.empty([count + 1], { dtype: "int64" }), (sums) => {
      const [from, to] = [counts.operand().storage, sums.operand().storage];
      const kernel = kernelOf(queue.context, `sum counts ${parts}`, "sum_counts", () => sumCountsSource(parts));
      launchOrdered(queue, kernel, this.#sizes(), [from.memory, to.memory, ...this.#extent()], [from], [to]);
      countsToOffsets(xp, sums.operand(), count);
    });
  }

  /** The counts themselves. */
  get counts(): ArrayRef<"int32"> {
    return this.#counts;
  }

  /** Resolves to how many values all lists have together. */
  async total(name: string, signal: AbortSignal | undefined): Promise<number> {
    return checkTotal(await this.#read().value(signal), name);
  }

  /** The same, blocking. */
  totalSync(name: string): number {
    return checkTotal(this.#read().valueSync(), name);
  }

  /** Enqueues the starts, and the end of the last list. */
  starts<D extends "int32" | "int64">(dtype: D): ArrayRef<D> {
    const { queue } = this.#xp;
    return filled(this.#xp.empty([this.#size + 1], { dtype }), (starts) => {
      const [from, sums, to] = [this.#counts, this.#sums, starts].map((one) => one.operand().storage) as [
        ReturnType<typeof starts.operand>["storage"],
        ReturnType<typeof starts.operand>["storage"],
        ReturnType<typeof starts.operand>["storage"],
      ];
      const { parts } = this.#division;
      const kernel = kernelOf(queue.context, `make starts ${parts} ${dtype}`, "make_starts", () =>
        startsSource(parts, dtype),
      );
      launchOrdered(
        queue,
        kernel,
        this.#sizes(),
        [from.memory, sums.memory, to.memory, ...this.#extent()],
        [from, sums],
        [to],
      );
    });
  }

  [Symbol.dispose](): void {
    this.#sums.release();
    this.#counts.release();
  }

  #read(): TotalRead {
    return new TotalRead(this.#xp.queue, this.#sums.operand(), this.#division.count);
  }

  #extent(): readonly bigint[] {
    return [BigInt(this.#size), BigInt(this.#division.part)];
  }

  #sizes(): { readonly global: number; readonly local: number } {
    const local = this.#division.parts === "blocks" ? startsGroup : 1;
    return { global: this.#division.count * local, local };
  }
}

function checkTotal(total: number, name: string): number {
  if (total >= 0) return total;
  throw outOfRange(`an object cannot append more than ${2 ** 31 - 1} values to "${name}"`);
}
