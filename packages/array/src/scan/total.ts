/** The total of counts that have become offsets: it follows the last of them, until the host reads it. */
import type { CommandEvent, CommandQueue } from "@cl/core";
import type { Operand } from "../storage/operand.js";
import { checkFilled } from "../storage/attempt.js";
import { ordered } from "../storage/storage.js";

/** int32 or int64 from the start of the memory. */
type Offsets = Pick<Operand, "storage" | "dtype">;

/** A total on its way to the host. */
export class TotalRead {
  readonly #words: Int32Array | BigInt64Array;
  readonly #event: CommandEvent;

  /** Enqueues the read of the sum of the first `count` offsets' counts. */
  constructor(queue: CommandQueue, { storage, dtype }: Offsets, count: number) {
    checkFilled(storage.serial);
    const words = dtype === "int64" ? new BigInt64Array(1) : new Int32Array(1);
    const bytes = words.byteLength;
    this.#words = words;
    this.#event = ordered(queue, [storage], [], (waitFor) =>
      queue.enqueueCopy(words, storage.memory, { bytes, sourceOffset: count * bytes, waitFor }),
    ) as CommandEvent;
  }

  /** Resolves to the total. */
  async value(signal: AbortSignal | undefined): Promise<number> {
    await this.#event.wait(signal === undefined ? undefined : { signal });
    return Number(this.#words[0]);
  }

  /** Returns the total; blocks. */
  valueSync(): number {
    this.#event.waitSync();
    return Number(this.#words[0]);
  }
}
