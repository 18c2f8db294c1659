/**
 * Errors that only the device can detect, such as an index out of range or a singular matrix. The kernel records the
 * first one in device memory, and the next operation that waits throws it. If no such kernel was enqueued since the
 * last wait, this costs neither memory nor a command.
 */
import type { CommandEvent } from "@cl/core";
import type { FaultError } from "./fault-error.js";
import noteFault from "./note-fault.cl";
import { indexErrors } from "./index-faults.js";
import { reductionErrors } from "./reduction-faults.js";
import { solverErrors } from "./solver-faults.js";
import { leavesOut, waitingForCompiler } from "../storage/attempt.js";
import { computeOutstanding } from "../storage/outstanding-calls.js";
import { enqueueFill, ordered, Storage } from "../storage/storage.js";
import type { ArraySource } from "../storage/array-ref.js";

/** Errors by the number that kernels record; each family has a range of numbers. */
const errors: Readonly<Record<number, FaultError>> = { ...indexErrors, ...solverErrors, ...reductionErrors };

/** The OpenCL C with which kernels note what is wrong: `note_fault`. */
export { noteFault };

const bytes = 32;

/** A note that the host is reading. */
interface Reading {
  readonly words: BigInt64Array;
  readonly event: CommandEvent;
}

/** What is noted for one `Arrays`. */
class DeviceFaults {
  readonly #xp: Home;
  /** Where kernels note, since the last look. */
  #notes: Storage | undefined;
  /** Unfinished reads of faults: an aborted wait leaves its read to the next. */
  #readings: Reading[] = [];

  constructor(xp: Home) {
    this.#xp = xp;
  }

  /** Memory for a kernel that checks. Kernels share it, so they count as its readers and do not wait for each other. */
  notes(): Storage {
    if (this.#notes !== undefined) return this.#notes;
    const { queue, allocator } = this.#xp;
    const storage = new Storage(allocator, bytes);
    storage.retain();
    ordered(queue, [], [storage], (waitFor) => enqueueFill(queue, storage, new Uint8Array(4), { bytes, waitFor }));
    this.#notes = storage;
    return storage;
  }

  /** Enqueues a look at what was noted, and says whether there is one to finish. */
  look(): boolean {
    const storage = this.#notes;
    if (storage !== undefined) {
      const { queue } = this.#xp;
      const words = new BigInt64Array(bytes / 8);
      // The notes are no elements, so that this is no change that would have to be deferred.
      const event = waitingForCompiler(() =>
        ordered(queue, [], [storage], (waitFor) => queue.enqueueCopy(words, storage.memory, { bytes, waitFor })),
      ) as CommandEvent;
      this.#notes = undefined;
      storage.release();
      this.#readings.push({ words, event });
    }
    return this.#readings.length > 0;
  }

  async finish(signal: AbortSignal | undefined): Promise<void> {
    for (let first = this.#readings[0]; first !== undefined; first = this.#readings[0]) {
      await first.event.wait(signal === undefined ? undefined : { signal });
      this.#done(first);
    }
  }

  finishSync(): void {
    for (let first = this.#readings[0]; first !== undefined; first = this.#readings[0]) {
      first.event.waitSync();
      this.#done(first);
    }
  }

  /** Each fault is thrown once, even if several callers wait for it. */
  #done(reading: Reading): void {
    const at = this.#readings.indexOf(reading);
    if (at < 0) return;
    this.#readings.splice(at, 1);
    const error = errorOf(reading.words);
    if (error !== undefined) throw error;
  }
}

/** The queue and the allocator of the memory in which kernels note faults. */
type Home = Pick<ArraySource, "queue" | "allocator">;

const all = new WeakMap<object, DeviceFaults>();

/** Where kernels of an `Arrays` note faults. Such a kernel counts as a reader of it. */
export function faultNotes(xp: Home): Storage {
  let own = all.get(xp);
  if (own === undefined) all.set(xp, (own = new DeviceFaults(xp)));
  return own.notes();
}

/** Begins to look for faults of what was enqueued so far; what it gives is called once the wait is over, or undefined. */
export function lookForFaults(
  xp: object,
):
  | { readonly finish: (signal: AbortSignal | undefined) => Promise<void>; readonly finishSync: () => void }
  | undefined {
  computeOutstanding(xp);
  if (leavesOut()) return undefined;
  const own = all.get(xp);
  if (own === undefined || !own.look()) return undefined;
  return { finish: (signal) => own.finish(signal), finishSync: () => own.finishSync() };
}

function errorOf(words: BigInt64Array): Error | undefined {
  const [kind, where] = new Int32Array(words.buffer) as unknown as readonly [number, number];
  const [, found, limit] = words as unknown as readonly [bigint, bigint, bigint];
  return errors[kind]?.(where, found, limit);
}
