/**
 * Values of element-wise operations that are computed when they are needed. A value records its operation; operations on its
 * result are computed together with it, by one kernel.
 */
import { contiguousLayout, type Layout, sizeOf } from "@cl/base";
import { OutOfMemoryError } from "@cl/core";
import type { Expression } from "../expression/expression.js";
import { runExpressions } from "../kernels/run-expression.js";
import { ArrayLayout } from "../storage/array-layout.js";
import type { ArrayRef } from "../storage/array-ref.js";
import { attempt, buildLater, isPreparing, leavesOut } from "../storage/attempt.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { combine } from "./combination.js";
import type { Operation } from "./operation.js";
import { RecordedValue } from "./recorded-value.js";
import { limitedSize } from "./recorded-size.js";

/** How often an operation uses kernels of single operations before it waits for its own kernel. */
const maxMisses = 16;

/** Returns whether an operation can be computed later. */
export function canWait({ xp, operands, shape }: Pick<Operation, "xp" | "operands" | "shape">): boolean {
  return !xp.eager && sizeOf(shape) > 0 && operands.every(({ storage }) => !storage.isShared);
}

/** Returns an array whose elements, the results of an operation with one result, are computed when they are needed. */
export function pendingArray<R extends DTypeName>(operation: Operation): ArrayRef<R> {
  const dtype = typeNamed((operation.expressions[0] as Expression).dtype as R);
  return pendingOfType(operation, dtype);
}

/** The same for a dtype that is known. */
export function pendingOfType<R extends DTypeName>(operation: Operation, dtype: TypedDType<R>): ArrayRef<R> {
  const { xp, shape, operands } = operation;
  const layout = denseLayout(operands[0]?.layout, shape, dtype.itemSize);
  const { storage } = new RecordedValue(operation, dtype, layout, limitedSize(operation), compute);
  return xp.wrap(storage, dtype, layout);
}

/** Returns the layout of contiguous elements: that of an operand if it is the same. */
function denseLayout(like: Layout | undefined, shape: readonly number[], itemSize: number): ArrayLayout {
  const isSame = like instanceof ArrayLayout && like.isDense && like.shape === shape && like.itemSize === itemSize;
  return isSame ? like : new ArrayLayout(contiguousLayout(shape, itemSize), itemSize);
}

/**
 * Returns an operation that computes the pending values among its operands itself, so that one kernel computes all. Scalars
 * are renumbered.
 */
export function combined(operation: Operation): Operation {
  const { whole, values } = combine(operation);
  for (const value of values) value.wasInlined = true;
  return whole;
}

/**
 * Runs an operation whose results are new. It computes pending operands itself if the kernel for that is built, or if kernels must
 * be built in any case. Otherwise it uses kernels of single operations, and the kernel is built for the next time. `values` are the
 * pending values that the operation computes itself.
 */
export function runCombined<R extends { release(): void } | void>(
  operation: Operation,
  run: (whole: Operation, values: readonly RecordedValue[]) => R,
): R {
  if (!hasPending(operation) || leavesOut()) return run(operation, []);
  const { whole, values } = combine(operation);
  if (values.length === 0 || leavesOut()) return run(operation, []);
  const together = holding(whole, () => attempt(() => run(whole, values)));
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
  const left = combine(operation);
  const result = holding(left.whole, () => run(left.whole, left.values));
  if (!leavesOut()) for (const value of left.values) value.wasInlined = true;
  return result;
}

function hasPending({ operands }: Operation): boolean {
  for (const { storage } of operands) if (storage.pending !== undefined) return true;
  return false;
}

/**
 * Keeps the memory of an operation's operands. Only the pending values that the operation computes itself may need it, and they drop it
 * when something else computes them: a program that runs the operation may compute other arrays first.
 */
export function holding<R>({ operands }: Operation, run: () => R): R {
  for (const { storage } of operands) storage.retain();
  try {
    return run();
  } finally {
    for (const { storage } of operands) storage.release();
  }
}

/** Runs an operation after those of its pending operands. Undefined if there is not enough memory for these. */
function runApart<R>(
  operation: Operation,
  values: readonly RecordedValue[],
  run: (operation: Operation, values: readonly RecordedValue[]) => R,
): { readonly value: R } | undefined {
  try {
    for (const value of values) value.computeAlone();
    return { value: run(operation, []) };
  } catch (error) {
    if (error instanceof OutOfMemoryError) return undefined;
    throw error;
  }
}

/** Computes a value together with the pending values that it depends on, or alone. */
function compute(value: RecordedValue, isAlone: boolean): void {
  const { operation } = value;
  if (isAlone || !hasPending(operation)) run(value, operation);
  else runCombined(operation, (whole) => run(value, whole));
}

function run({ storage, dtype, layout }: RecordedValue, { xp, expressions, operands, scalars }: Operation): void {
  runExpressions(xp.queue, expressions, operands, scalars, [{ storage, dtype: dtype.name, layout }]);
}
