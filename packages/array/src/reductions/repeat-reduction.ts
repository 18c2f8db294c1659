/** The fast path of reductions: arrays of layouts seen before. */
import { maxAxes, memoizePerObject } from "@cl/base";
import type { CommandQueue } from "@cl/core";
import type { ScalarValue } from "../expression/expression.js";
import type { InitialOptions, ReduceOptions, WhereOptions } from "../expression/passes.js";
import { LaunchPlans, type PlanKey } from "../kernels/launch-plans.js";
import type { ArrayLayout } from "../storage/array-layout.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { newArray } from "../storage/new-array.js";
import type { Operand } from "../storage/operand.js";
import type { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { launchReduction, type PreparedReduction } from "./launch-reduction.js";

/** The launch of a reduction, and its result. */
interface KnownReduction {
  readonly prepared: PreparedReduction;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
}

const reductionsOf = memoizePerObject<CommandQueue, LaunchPlans<KnownReduction>>(() => new LaunchPlans(512));

/** Returns the key of a call of a function; `undefined` if its plan cannot be reused. */
export function keyOfCall(
  operation: PlanKey,
  { axis, keepDims, out, where, initial }: ReduceOptions & WhereOptions & InitialOptions,
): PlanKey | undefined {
  if (out !== undefined || where !== undefined || initial !== undefined) return undefined;
  if (axis === undefined || typeof axis === "number") return [...operation, axis, keepDims];
  return Array.isArray(axis) && axis.length <= maxAxes ? [...operation, axis.join(), keepDims] : undefined;
}

/** Returns the result if such a call was noted. */
export function repeatReduction(
  key: PlanKey,
  xp: ArraySource,
  operands: readonly Operand[],
  scalars: readonly ScalarValue[],
): ArrayRef | undefined {
  const known = reductionsOf(xp.queue).find(key, operands);
  if (known === undefined) return undefined;
  const reads: Storage[] = [];
  const memory: Storage["memory"][] = [];
  for (const { storage } of operands) {
    reads.push(storage);
    memory.push(storage.memory);
  }
  const values = scalars.map(({ value }) => value);
  const result = newArray(xp, known.dtype, known.layout);
  try {
    launchReduction(xp, known.prepared, { memory, reads, values, target: result.operand().storage });
  } catch (error) {
    result.release();
    throw error;
  }
  return result;
}

/** Stores a call's plan. */
export function noteReduction(
  key: PlanKey,
  operands: readonly Operand[],
  result: AnyArray,
  prepared: PreparedReduction,
): void {
  const { xp, dtype } = result;
  reductionsOf(xp.queue).keep(key, operands, { prepared, dtype, layout: result.operand().layout as ArrayLayout });
}
