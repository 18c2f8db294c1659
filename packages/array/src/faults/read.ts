/** Reads of elements to the host. */
import type { CommandEvent, TypedArray } from "@cl/core";
import { lookForFaults } from "./device-faults.js";
import { attempt, type Buildable, checkFilled, leavesOut, whenBuilt } from "../storage/attempt.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";
import { computeOutstanding } from "../storage/outstanding-calls.js";
import { goTo, nextSerial, returnFrom } from "../storage/moment.js";
import type { Reader } from "../storage/readers.js";
import { ordered } from "../storage/storage.js";
import { typeNamed } from "../types/dtype-name.js";

/** Resolves to the elements as a typed array, in C order. */
export async function readData(array: AnyArray, signal: AbortSignal | undefined): Promise<TypedArray> {
  signal?.throwIfAborted();
  const { result, missing } = attempt(() => {
    computeOutstanding(array.xp);
    return enqueueRead(array);
  });
  const { host, event } = result ?? (await readLater(array, missing, signal));
  const faults = lookForFaults(array.xp);
  await event?.wait(signal === undefined ? undefined : { signal });
  await faults?.finish(signal);
  return host;
}

/** The same, blocking. */
export function readDataSync(array: AnyArray): TypedArray {
  const { host, event } = enqueueRead(array, true) as Read;
  const faults = lookForFaults(array.xp);
  event?.waitSync();
  faults?.finishSync();
  return host;
}

/** Elements on the host, which are valid when the event is complete. */
interface Read {
  readonly host: TypedArray;
  readonly event: CommandEvent | undefined;
}

/**
 * Enqueues a read. Returns `undefined` in attempts that leave out the computation of the elements. If `isSync`, it may wait for the
 * read without an event, which takes 1.4 instead of 2.7 µs for a few elements.
 */
function enqueueRead(array: AnyArray, isSync = false): Read | undefined {
  const { arrayType, componentCount } = array.dtype;
  const make = arrayType as unknown as new (length: number) => TypedArray;
  const { storage, layout } = array.operand();
  const { size } = array;
  if (size === 0) return { host: new make(0), event: undefined };
  checkFilled(storage.serial);
  if (!array.isContiguous) {
    using packed = array.copy();
    return leavesOut() ? undefined : enqueueRead(packed, isSync);
  }
  storage.compute();
  if (leavesOut()) return undefined;
  const host = new make(size * componentCount);
  const { queue } = array.xp;
  const event = ordered(queue, [storage], [], (waitFor, needsEvent) => {
    const options = { bytes: array.nbytes, sourceOffset: layout.offset, waitFor };
    if (!isSync || needsEvent) return queue.enqueueCopy(host, storage.memory, options);
    queue.copySync(host, storage.memory, options);
    return undefined;
  });
  return { host, event };
}

/** A read that is enqueued when its kernels are built, or before the elements change. */
class LaterRead implements Reader {
  readonly #xp: ArraySource;
  readonly #operand: Operand;
  readonly #serial = nextSerial();
  result: Read | undefined;

  constructor(array: AnyArray) {
    this.#xp = array.xp;
    this.#operand = array.operand();
  }

  get pending(): this | undefined {
    return this.result === undefined ? this : undefined;
  }

  compute(): void {
    if (this.result !== undefined) return;
    const { storage, dtype, layout } = this.#operand;
    using view = this.#xp.wrap(storage, typeNamed(dtype), layout);
    const outer = goTo(this.#serial);
    try {
      this.result = enqueueRead(view);
    } finally {
      returnFrom(outer);
    }
  }
}

/** Enqueues a read when the missing programs are built. */
async function readLater(
  array: AnyArray,
  missing: Iterable<Buildable>,
  signal: AbortSignal | undefined,
): Promise<Read> {
  const { storage } = array.operand();
  const read = new LaterRead(array);
  storage.retain();
  storage.addReader(read);
  try {
    const enqueue = (): Read | undefined => {
      computeOutstanding(array.xp);
      read.compute();
      return read.result;
    };
    return (await whenBuilt(missing, enqueue, signal)) as Read;
  } finally {
    storage.release();
  }
}
