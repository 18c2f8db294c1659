/** Counts of objects become places where their lists start. */
import { type CommandEvent, DeviceType } from "@cl/core";
import { outOfRange } from "@cl/core/checks";
import type { Arrays } from "../array/arrays.js";
import type { DeviceArray } from "../array/device-array.js";
import { filled } from "../array/filled.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { countsToOffsets } from "../scan/offsets.js";
import { ordered } from "../storage/storage.js";
import { startsBlock, startsGroup, startsSource, sumCountsSource } from "./list-source.js";

/** So many chunks keep the cores of a processor evenly busy, whatever else runs there. */
const chunks = 16;
const leastChunk = 1024;

/** Counts, one for each object, with the sums of their parts. */
export class ListStarts implements Disposable {
  readonly #xp: Arrays;
  readonly #counts: DeviceArray<"int32">;
  readonly #sums: DeviceArray<"int64">;
  readonly #size: number;
  readonly #parts: "chunks" | "blocks";
  readonly #part: number;
  readonly #count: number;

  /** Enqueues what adds up the counts, which it releases at the end. There is one at least. */
  constructor(xp: Arrays, counts: DeviceArray<"int32">) {
    this.#xp = xp;
    this.#counts = counts;
    this.#size = counts.size;
    this.#parts = (xp.queue.device.type & DeviceType.CPU) === 0 ? "blocks" : "chunks";
    this.#part =
      this.#parts === "blocks" ? startsBlock : Math.max(1, Math.ceil(this.#size / chunks / leastChunk)) * leastChunk;
    this.#count = Math.ceil(this.#size / this.#part);
    const parts = this.#parts;
    const { queue } = xp;
    this.#sums = filled(xp.empty([this.#count + 1], { dtype: "int64" }), (sums) => {
      const [from, to] = [counts.operand().storage, sums.operand().storage];
      const kernel = kernelOf(queue.context, `sum counts ${parts}`, "sum_counts", () => sumCountsSource(parts));
      launchOrdered(queue, kernel, this.#sizes(), [from.memory, to.memory, ...this.#extent()], [from], [to]);
      countsToOffsets(xp, sums.operand(), this.#count);
    });
  }

  /** The counts themselves. */
  get counts(): DeviceArray<"int32"> {
    return this.#counts;
  }

  /** Resolves to how many values all lists have together. */
  async total(name: string, signal: AbortSignal | undefined): Promise<number> {
    const { words, event } = this.#read();
    await event.wait(signal === undefined ? undefined : { signal });
    return checkTotal(words, name);
  }

  /** The same, blocking. */
  totalSync(name: string): number {
    const { words, event } = this.#read();
    event.waitSync();
    return checkTotal(words, name);
  }

  /** Enqueues the starts, and the end of the last list. */
  starts<D extends "int32" | "int64">(dtype: D): DeviceArray<D> {
    const { queue } = this.#xp;
    return filled(this.#xp.empty([this.#size + 1], { dtype }), (starts) => {
      const [from, sums, to] = [this.#counts, this.#sums, starts].map((one) => one.operand().storage) as [
        ReturnType<typeof starts.operand>["storage"],
        ReturnType<typeof starts.operand>["storage"],
        ReturnType<typeof starts.operand>["storage"],
      ];
      const parts = this.#parts;
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

  #extent(): readonly bigint[] {
    return [BigInt(this.#size), BigInt(this.#part)];
  }

  #sizes(): { readonly global: number; readonly local: number } {
    const local = this.#parts === "blocks" ? startsGroup : 1;
    return { global: this.#count * local, local };
  }

  #read(): { readonly words: BigInt64Array; readonly event: CommandEvent } {
    const words = new BigInt64Array(1);
    const { queue } = this.#xp;
    const { storage } = this.#sums.operand();
    const event = ordered(queue, [storage], [], (waitFor) =>
      queue.enqueueCopy(words, storage.memory, { bytes: 8, sourceOffset: this.#count * 8, waitFor }),
    ) as CommandEvent;
    return { words, event };
  }
}

function checkTotal(words: BigInt64Array, name: string): number {
  const total = Number(words[0]);
  if (total >= 0) return total;
  throw outOfRange(`an object appends more than ${2 ** 31 - 1} values to "${name}"`);
}
