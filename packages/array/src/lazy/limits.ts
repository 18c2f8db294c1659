/** Limits of what is recorded and computed by one kernel. */
import { memoizePerObject } from "@cl/base";
import type { Allocation, Allocator, Device } from "@cl/core";
import type { ArraySource } from "../storage/array-ref.js";

/** Numbers of operations and of what they read. */
export interface Size {
  readonly operations: number;
  readonly operands: number;
  readonly scalars: number;
  /** Bytes of the memory of operands. */
  readonly bytes: number;
}

/** The size of a recorded operation with all pending values that it depends on. */
export interface RecordedSize extends Size {
  /** Whether no value that it depends on is used twice. The number of operations is then exact. */
  readonly isChain: boolean;
}

/** Maximum number of operations that one kernel computes. */
export const maxOperations = 32;
/** Maximum number of operands that one kernel reads. */
const maxOperands = 12;
/** Bytes of kernel arguments and of operands that are never too many. */
const [minParameterBytes, minBytes] = [256, 2 ** 16];

/** Returns whether operations on arrays with a number of axes are too many for one kernel, or keep too much memory alive. */
export function isTooLarge({ operations, operands, scalars, bytes }: Size, xp: ArraySource, axes: number): boolean {
  if (operations > maxOperations || operands > maxOperands) return true;
  const parameters = parameterBytes(operands + 1, scalars, axes);
  if (parameters > minParameterBytes && parameters > maxParameterBytes(xp.queue.device)) return true;
  return bytes > minBytes && bytes > maxBytes(xp);
}

/** Returns the size of the arguments of a kernel: pointers, scalars, and the layouts of arrays. */
function parameterBytes(arrays: number, scalars: number, axes: number): number {
  return 8 * (arrays + scalars + 1 + arrays + axes + arrays * axes);
}

/** A query of the driver takes as long as recording an operation. */
const maxParameterBytes = memoizePerObject((device: Device): number => device.maxParameterSize);

/**
 * Returns the maximum number of bytes that one pending value may keep alive: a quarter of the memory. Adding up arrays of 16 MB on two
 * cores takes 1.9 ms for each if kernels read two, 1.2 if three, and 1.1 if four or more, so a larger part would save no time.
 */
function maxBytes({ allocator, queue }: ArraySource): number {
  return Math.min(capacityOf(allocator), queue.device.globalMemSize) / 4;
}

const capacityOf = memoizePerObject((allocator: Allocator<Allocation>): number => {
  return "maxBytes" in allocator && typeof allocator.maxBytes === "number" ? allocator.maxBytes : Infinity;
});
