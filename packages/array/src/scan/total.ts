/** The total of counts that have become offsets: it follows the last of them, until the host reads it. */
import type { CommandEvent, CommandQueue } from "@cl/core";
import type { Operand } from "../storage/operand.js";
import { checkFilled } from "../storage/attempt.js";
import { ordered } from "../storage/storage.js";

/** int32 or int64 from the start of the memory. */
type Offsets = Pick<Operand, "storage" | "dtype">;

/** Resolves to the sum of the first `count` offsets' counts. */
export async function totalOf(
  queue: CommandQueue,
  offsets: Offsets,
  count: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { words, event } = readTotal(queue, offsets, count);
  await event.wait(signal === undefined ? undefined : { signal });
  return Number(words[0]);
}

/** Blocking version of {@link totalOf}. */
export function totalOfSync(queue: CommandQueue, offsets: Offsets, count: number): number {
  const { words, event } = readTotal(queue, offsets, count);
  event.waitSync();
  return Number(words[0]);
}

interface TotalRead {
  readonly words: Int32Array | BigInt64Array;
  readonly event: CommandEvent;
}

function readTotal(queue: CommandQueue, { storage, dtype }: Offsets, count: number): TotalRead {
  const words = dtype === "int64" ? new BigInt64Array(1) : new Int32Array(1);
  const bytes = words.byteLength;
  checkFilled(storage.serial);
  const event = ordered(queue, [storage], [], (waitFor) =>
    queue.enqueueCopy(words, storage.memory, { bytes, sourceOffset: count * bytes, waitFor }),
  ) as CommandEvent;
  return { words, event };
}
