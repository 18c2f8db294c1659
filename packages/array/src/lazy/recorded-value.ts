/** Element-wise operations that are computed later. */
import type { Allocation, Allocator } from "@cl/core";
import type { ArrayLayout } from "../storage/array-layout.js";
import type { Operand } from "../storage/operand.js";
import { type Pending, Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { RecordedSize } from "./limits.js";
import type { Operation } from "./operation.js";

/** Computes a value in its storage, alone if its operands have been computed. */
type Compute = (value: RecordedValue, isAlone: boolean) => void;

/**
 * The result of an operation that is computed later. Without a base class, whose constructor V8 does not inline: recording an
 * operation takes 10 % less.
 */
export class RecordedValue implements Pending {
  readonly operation: Operation;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
  /** Size of the operation with all pending values that it depends on. */
  readonly size: RecordedSize;
  readonly storage: Storage;
  readonly #compute: Compute;
  #isAlone = false;
  /** Whether a kernel has computed the value without storing it. If it is needed again, it is stored. */
  wasInlined = false;
  /** Number of the last walk that visited the value, and its position among the values that the walk found. */
  walk = 0;
  position = 0;

  constructor(
    operation: Operation,
    dtype: TypedDType<DTypeName>,
    layout: ArrayLayout,
    size: RecordedSize,
    compute: Compute,
  ) {
    this.operation = operation;
    this.dtype = dtype;
    this.layout = layout;
    this.size = size;
    this.#compute = compute;
    this.storage = Storage.pending(layout.size * dtype.itemSize, this);
    for (const { storage } of operation.operands) {
      storage.retain();
      storage.addReader(this.storage);
    }
  }

  /** Whether the value has not been stored. */
  get isPending(): boolean {
    return this.storage.pending === this;
  }

  get isSearched(): boolean {
    return true;
  }

  get allocator(): Allocator<Allocation> {
    return this.operation.xp.allocator;
  }

  compute(): void {
    this.#compute(this, this.#isAlone);
  }

  /** Computes the value from operands that have been computed. */
  computeAlone(): void {
    this.#isAlone = true;
    try {
      this.storage.compute();
    } finally {
      this.#isAlone = false;
    }
  }

  release(): void {
    for (const { storage } of this.operation.operands) storage.release();
  }
}

let walks = 0;

/** Returns the number of a new walk through recorded values. */
export function nextWalk(): number {
  return ++walks;
}

/** Returns the position of an operand in a list, to which it is added if it is new. */
export function indexOf(operand: Operand, operands: Operand[]): number {
  for (let k = 0; k < operands.length; k++) if (isSame(operand, operands[k] as Operand)) return k;
  return operands.push(operand) - 1;
}

function isSame(one: Operand, other: Operand): boolean {
  if (one === other) return true;
  const [{ strides, offset }, { layout }] = [one.layout, other];
  if (one.storage !== other.storage || one.dtype !== other.dtype || offset !== layout.offset) return false;
  return strides.every((stride, axis) => stride === layout.strides[axis]);
}
