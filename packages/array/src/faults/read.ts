/** Reads of elements to the host. */
import type { CommandEvent, TypedArray } from "@cl/core";
import { lookForFaults } from "./device-faults.js";
import { ordered } from "../storage/storage.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Resolves to the elements as a typed array, in C order. */
export async function readData(array: AnyArray, signal: AbortSignal | undefined): Promise<TypedArray> {
  signal?.throwIfAborted();
  const { host, event } = enqueueRead(array);
  const faults = lookForFaults(array.xp);
  await event?.wait(signal === undefined ? undefined : { signal });
  await faults?.finish(signal);
  return host;
}

/** The same, blocking. */
export function readDataSync(array: AnyArray): TypedArray {
  const { host, event } = enqueueRead(array);
  const faults = lookForFaults(array.xp);
  event?.waitSync();
  faults?.finishSync();
  return host;
}

function enqueueRead(array: AnyArray): { readonly host: TypedArray; readonly event: CommandEvent | undefined } {
  const { arrayType, componentCount } = array.dtype;
  const make = arrayType as unknown as new (length: number) => TypedArray;
  const { storage, layout } = array.operand();
  const { size } = array;
  const host = new make(size * componentCount);
  if (size === 0) return { host, event: undefined };
  if (!array.isContiguous) {
    using packed = array.copy();
    return enqueueRead(packed);
  }
  const { queue } = array.xp;
  const event = ordered(queue, [storage], [], (waitFor) =>
    queue.enqueueCopy(host, storage.memory, { bytes: array.nbytes, sourceOffset: layout.offset, waitFor }),
  );
  return { host, event };
}
