/** Transfers of elements between files and arrays in pieces. */
import type { CommandEvent, DType } from "@cl/core";
import { checkArray } from "../storage/check-array.js";
import { RecordArray, emptyRecords } from "../array/record-array.js";
import { ordered } from "../storage/storage.js";
import { checkArrayType } from "../types/dtype-name.js";
import type { Bytes } from "./byte-stream.js";
import { type NpyType, swapBytes } from "./npy-types.js";
import type { ArraySource } from "../storage/array-ref.js";
import { type DeviceArray, asDeviceArray } from "../array/arrays.js";

/** Arrays that can be stored in files. */
export type Stored = DeviceArray | RecordArray;

/** An array, or records, of the same context as `xp`; `name` is the argument's. */
export function checkStored(value: unknown, xp: ArraySource, name: string): Stored {
  if (!(value instanceof RecordArray)) return asDeviceArray(checkArray(value, xp, name));
  checkArray(value.units, xp, name);
  return value;
}

/** Size of a piece in bytes. */
const piece = 2 ** 24;

/** New memory for elements in C order. */
export function emptyOf(xp: ArraySource, type: DType, shape: readonly number[]): Stored {
  if (type.kind !== "struct") return asDeviceArray(xp.empty(shape, { dtype: checkArrayType(type, "dtype") }));
  return emptyRecords(xp, type, shape);
}

/** Fills new memory with what is read; if that fails nothing is left of it. */
export async function fillFrom(
  target: Stored,
  bytes: Bytes,
  { type, swaps }: NpyType,
  signal: AbortSignal | undefined,
): Promise<void> {
  const array = target instanceof RecordArray ? target.units : target;
  const { queue } = array.xp;
  const step = Math.max(1, Math.floor(piece / type.itemSize)) * type.itemSize;
  let before: CommandEvent | undefined;
  try {
    for (let at = 0; at < array.nbytes; at += step) {
      signal?.throwIfAborted();
      const part = await bytes.read(Math.min(step, array.nbytes - at));
      swapBytes(part, type.itemSize, swaps);
      // One piece is read while the one before is copied.
      await before?.wait();
      const { storage } = array.operand();
      before = ordered(queue, [], [storage], (waitFor) =>
        queue.enqueueCopy(storage.memory, part, { bytes: part.length, targetOffset: at, waitFor }),
      );
      queue.flush();
    }
    await before?.wait();
  } catch (error) {
    target.release();
    throw error;
  }
}

/** Resolves to the current bytes of an array in C order. */
export async function bytesOf(array: Stored, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const own = array instanceof RecordArray ? array.units : array;
  const { buffer, byteOffset, byteLength } = await own.data(signal === undefined ? undefined : { signal });
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Returns the array as stored in files: vectors become numbers along an additional last axis. */
export function asStored(array: Stored): Stored {
  return array instanceof RecordArray && array.dtype.kind === "vector" ? array.components : array;
}
