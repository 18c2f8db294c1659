/**
 * Values of element-wise operations that are computed when they are needed. A value records its operation; operations on its
 * result are computed together with it, by one kernel.
 */
import { contiguousLayout, isContiguous, type Layout, OwnerCache, sizeOf } from "@cl/base";
import { type Allocation, type Allocator, OutOfMemoryError } from "@cl/core";
import { type Expression, input, type ScalarValue, scalar, withLeaves } from "../expression/expression.js";
import { runExpressions } from "../kernels/run-expression.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";
import { type Pending, Storage } from "../storage/storage.js";
import { attempt, buildLater, isPreparing, leavesOut } from "../storage/attempt.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";

/** An element-wise operation. */
export interface Operation {
  readonly xp: ArraySource;
  /** The results, of the operands and scalars by their numbers. */
  readonly expressions: readonly Expression[];
  readonly scalars: readonly ScalarValue[];
  /** The operands, broadcast to the shape. */
  readonly operands: readonly Operand[];
  readonly shape: readonly number[];
}

/** Maximum number of operations that one kernel computes. */
const maxOperations = 32;
/** Maximum number of operands that one kernel reads. */
const maxOperands = 12;

/** How often an operation uses kernels of single operations before it waits for its own kernel. */
const maxMisses = 16;

/** Returns whether an operation can be computed later. */
export function canWait({ xp, operands, shape }: Pick<Operation, "xp" | "operands" | "shape">): boolean {
  return !xp.eager && sizeOf(shape) > 0 && operands.every(({ storage }) => !storage.isShared);
}

/** Returns an array whose elements, the results of an operation with one result, are computed when they are needed. */
export function pendingArray<R extends DTypeName>(operation: Operation): ArrayRef<R> {
  const dtype = typeNamed(resultType(operation) as R);
  const [first] = operation.operands;
  const isSame =
    first !== undefined && first.layout.shape === operation.shape && isContiguous(first.layout, dtype.itemSize);
  const layout = isSame && first.layout.offset === 0 ? first.layout : contiguousLayout(operation.shape, dtype.itemSize);
  const { storage } = new PendingValue(operation, layout);
  return operation.xp.wrap(storage, dtype, layout);
}

/**
 * Returns an operation that computes the pending values among its operands itself, so that one kernel computes all. Scalars
 * are renumbered.
 */
export function combined(operation: Operation): Operation {
  const values = inlinableValues(operation);
  if (values.length === 0) return operation;
  const whole = inlined(operation, values);
  for (const value of values) value.wasInlined = true;
  return whole;
}

/**
 * Runs an operation whose results are new. It computes pending operands itself if the kernel for that is built, or if kernels must
 * be built in any case. Otherwise it uses kernels of single operations, and the kernel is built for the next time.
 */
export function runCombined<R extends { release(): void } | void>(
  operation: Operation,
  run: (whole: Operation) => R,
): R {
  if (operation.operands.every(({ storage }) => storage.pending === undefined)) return run(operation);
  const values = inlinableValues(operation);
  if (values.length === 0 || leavesOut()) return run(operation);
  const together = attempt(() => run(inlined(operation, values)));
  if (together.missing.size === 0) {
    for (const value of values) value.wasInlined = true;
    return together.result;
  }
  if (together.result) together.result.release();
  const isOftenUsed = Array.from(together.missing).some(({ misses }) => misses > maxMisses);
  if (!isPreparing() && !isOftenUsed) {
    const apart = attempt(() => runApart(operation, values, run));
    if (apart.missing.size === 0 && apart.result !== undefined) {
      buildLater(together.missing);
      return apart.result.value;
    }
    if (apart.result?.value) apart.result.value.release();
  }
  const left = inlinableValues(operation);
  const result = run(inlined(operation, left));
  if (!leavesOut()) for (const value of left) value.wasInlined = true;
  return result;
}

/** Runs an operation after those of its pending operands. Undefined if there is not enough memory for these. */
function runApart<R>(
  operation: Operation,
  values: readonly PendingValue[],
  run: (operation: Operation) => R,
): { readonly value: R } | undefined {
  try {
    for (const value of values) value.computeAlone();
    return { value: run(operation) };
  } catch (error) {
    if (error instanceof OutOfMemoryError) return undefined;
    throw error;
  }
}

/** Returns an operation that computes the values itself. */
function inlined(operation: Operation, values: readonly PendingValue[]): Operation {
  const scalars: ScalarValue[] = [];
  const operands: Operand[] = [];
  const parts = [...values.map((value) => value.operation), operation].map((one): Part => {
    const sources = one.operands.map((operand): number => {
      const value = inlinable(operand, one);
      return value === undefined ? indexOf(operand, operands) : -1 - values.indexOf(value);
    });
    const firstScalar = scalars.length;
    scalars.push(...one.scalars);
    return { expressions: one.expressions, sources, firstScalar };
  });
  const key = parts.map(({ expressions, sources }) => `${expressions.map(({ id }) => id).join()}:${sources.join()}`);
  const expressions = structures.get(operation.xp, key.join(";"), () => joined(parts, operands));
  return { ...operation, expressions, scalars, operands };
}

/** An operation within one that computes several. */
interface Part {
  readonly expressions: readonly Expression[];
  /** Where its operands come from: the position of an operand of all, or -1 less the position of a part. */
  readonly sources: readonly number[];
  /** Position of its first scalar among those of all. */
  readonly firstScalar: number;
}

/** Expressions by the numbers of those that they are made of. */
const structures = new OwnerCache<ArraySource, readonly Expression[]>({ capacity: 1024 });

/** Returns the expressions of the last part, which contain those of the others. */
function joined(parts: readonly Part[], operands: readonly Operand[]): readonly Expression[] {
  const made: (readonly Expression[])[] = [];
  for (const { expressions, sources, firstScalar } of parts) {
    const leaves = sources.map((source) =>
      source < 0 ? (made[-1 - source]?.[0] as Expression) : input(source, (operands[source] as Operand).dtype),
    );
    made.push(
      withLeaves(expressions, (leaf) =>
        leaf.kind === "input" ? (leaves[leaf.index] as Expression) : scalar(firstScalar + leaf.index, leaf.dtype),
      ),
    );
  }
  return made.at(-1) as readonly Expression[];
}

/** Returns the dtype of an operation's only result. */
function resultType({ expressions }: Operation): DTypeName {
  return (expressions[0] as Expression).dtype;
}

/** Numbers of operations and operands of a kernel. */
interface Size {
  readonly operations: number;
  readonly operands: number;
}

class PendingValue implements Pending {
  readonly isSearched = true;
  readonly allocator: Allocator<Allocation>;
  readonly operation: Operation;
  readonly storage: Storage;
  readonly layout: Layout;
  /** Size of the kernel that computes the value. */
  readonly size: Size;
  /** Whether a kernel has computed the value without storing it. If it is needed again, it is stored. */
  wasInlined = false;
  #isAlone = false;

  constructor(operation: Operation, layout: Layout) {
    this.allocator = operation.xp.allocator;
    this.operation = operation;
    this.layout = layout;
    let size = sizeWithin(operation);
    if (size.operations > maxOperations || size.operands > maxOperands) {
      for (const { storage } of operation.operands) storage.compute();
      size = sizeWithin(operation);
    }
    this.size = size;
    const dtype = resultType(operation);
    this.storage = Storage.pending(sizeOf(operation.shape) * typeNamed(dtype).itemSize, this);
    for (const { storage } of operation.operands) {
      storage.retain();
      storage.addReader(this.storage);
    }
  }

  compute(): void {
    if (this.#isAlone) this.#run(this.operation);
    else runCombined(this.operation, (whole) => this.#run(whole));
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

  #run({ xp, expressions, operands, scalars }: Operation): void {
    const target = { storage: this.storage, dtype: resultType(this.operation), layout: this.layout };
    runExpressions(xp.queue, expressions, operands, scalars, [target]);
  }

  release(): void {
    for (const { storage } of this.operation.operands) storage.release();
  }
}

/**
 * Returns the size of the kernel that computes an operation. A value that is used twice counts twice, and so does an operand, unless
 * there seem to be too many.
 */
function sizeWithin(operation: Operation): Size {
  let [operations, operands] = [1, 0];
  for (const operand of operation.operands) {
    const value = inlinable(operand, operation);
    operations += value?.size.operations ?? 0;
    operands += value?.size.operands ?? 1;
  }
  return { operations, operands: operands > maxOperands ? distinctOperands(operation) : operands };
}

function distinctOperands(root: Operation): number {
  const operands: Operand[] = [];
  for (const operation of [root, ...valuesWithin(root).map((value) => value.operation)]) {
    for (const operand of operation.operands) {
      if (inlinable(operand, operation) === undefined) indexOf(operand, operands);
    }
  }
  return operands.length;
}

/** Returns the pending value of an operand if an operation can compute its elements itself. */
function inlinable({ storage, layout, dtype }: Operand, { xp, shape }: Operation): PendingValue | undefined {
  const { pending } = storage;
  if (!(pending instanceof PendingValue) || pending.wasInlined) return undefined;
  const { operation, layout: own } = pending;
  if (operation.xp !== xp || resultType(operation) !== dtype || layout.offset !== 0) return undefined;
  if (shape.length !== operation.shape.length) return undefined;
  for (let axis = 0; axis < shape.length; axis++) {
    const extent = shape[axis];
    if (extent !== operation.shape[axis]) return undefined;
    if (extent !== 1 && own.strides[axis] !== layout.strides[axis]) return undefined;
  }
  return pending;
}

/**
 * Computes the pending operands that cannot be inlined, and returns the values that can. The former may use the same memory as the
 * latter, which is released when they are computed.
 */
function inlinableValues(root: Operation): readonly PendingValue[] {
  for (;;) {
    const values = valuesWithin(root);
    let isComplete = true;
    for (const operation of [root, ...values.map((value) => value.operation)]) {
      for (const operand of operation.operands) {
        if (operand.storage.pending === undefined || inlinable(operand, operation) !== undefined) continue;
        operand.storage.compute();
        isComplete = false;
      }
    }
    if (isComplete) return values;
    if (leavesOut()) return valuesWithin(root);
  }
}

/** Returns the pending values that an operation can compute itself, each after those that it needs. */
function valuesWithin(root: Operation): readonly PendingValue[] {
  const values = new Set<PendingValue>();
  const path: { readonly operation: Operation; readonly value: PendingValue | undefined; next: number }[] = [
    { operation: root, value: undefined, next: 0 },
  ];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const operand = top.operation.operands[top.next++];
    if (operand === undefined) {
      if (top.value !== undefined) values.add(top.value);
      path.pop();
      continue;
    }
    const value = inlinable(operand, top.operation);
    if (value !== undefined && !values.has(value)) path.push({ operation: value.operation, value, next: 0 });
  }
  return [...values];
}

/** Returns the position of an operand in a list, to which it is added if it is new. */
function indexOf(operand: Operand, operands: Operand[]): number {
  const known = operands.findIndex(
    ({ storage, dtype, layout }) =>
      storage === operand.storage &&
      dtype === operand.dtype &&
      layout.offset === operand.layout.offset &&
      layout.strides.every((stride, axis) => stride === operand.layout.strides[axis]),
  );
  return known < 0 ? operands.push(operand) - 1 : known;
}
