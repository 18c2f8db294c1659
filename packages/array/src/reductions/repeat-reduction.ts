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
import { isStandIn } from "../tracing/trace.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { launchReduction, type PreparedReduction } from "./launch-reduction.js";

/** The launch of a reduction, and its result. */
interface KnownReduction {
  readonly prepared: PreparedReduction;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
}

/** What a plan depends on. */
type LikeOperand = Pick<Operand, "dtype" | "layout">;

/** An operation without options on one or two arrays, as it was called last. */
interface LastReduction {
  readonly operands: readonly LikeOperand[];
  readonly reduction: KnownReduction;
}

/** The reductions of a queue that were called before. */
class KnownReductions extends LaunchPlans<KnownReduction> {
  /** The last ones without options, by their function. */
  readonly last = new Map<unknown, LastReduction>();
}

const none: readonly ScalarValue[] = [];

const reductionsOf = memoizePerObject<CommandQueue, KnownReductions>(() => new KnownReductions(512));

/** Returns the key of a call of a function; `undefined` if its plan cannot be reused. */
export function keyOfCall(
  operation: PlanKey,
  { axis, keepDims, out, where, initial }: ReduceOptions & WhereOptions & InitialOptions,
): PlanKey | undefined {
  if (out !== undefined || where !== undefined || initial !== undefined) return undefined;
  if (axis === undefined || typeof axis === "number") return [...operation, axis, keepDims];
  return Array.isArray(axis) && axis.length <= maxAxes ? [...operation, axis.join(), keepDims] : undefined;
}

/**
 * Returns the result of an operation without options, if its last call had arrays of the same layouts. Allocates less than
 * {@link repeatReduction}: the sum of 1000 float32 takes 2.3 µs instead of 2.5, with PoCL's `basic` driver.
 */
export function repeatLast(operation: unknown, array: AnyArray, other?: AnyArray): ArrayRef | undefined {
  if (isStandIn(array) || (other !== undefined && isStandIn(other))) return undefined;
  const { xp } = array;
  const last = reductionsOf(xp.queue).last.get(operation);
  if (last === undefined || last.operands.length !== (other === undefined ? 1 : 2)) return undefined;
  const operand = array.operand();
  if (!isLike(operand, last.operands[0] as LikeOperand)) return undefined;
  if (other === undefined) return launched(xp, last.reduction, [operand.storage], none);
  const second = other.operand();
  if (other.xp !== xp || !isLike(second, last.operands[1] as LikeOperand)) return undefined;
  return launched(xp, last.reduction, [operand.storage, second.storage], none);
}

/** Returns whether an operand that is not pending has the dtype of another one and the same layout object. */
function isLike({ storage, layout, dtype }: Operand, other: LikeOperand): boolean {
  return layout === other.layout && dtype === other.dtype && storage.pending === undefined;
}

/** Returns the result if such a call was noted. */
export function repeatReduction(
  key: PlanKey,
  xp: ArraySource,
  operands: readonly Operand[],
  scalars: readonly ScalarValue[],
): ArrayRef | undefined {
  const known = reductionsOf(xp.queue);
  const reduction = known.find(key, operands);
  if (reduction === undefined) return undefined;
  if (scalars.length === 0 && isWithoutOptions(key)) {
    // Without the storages, whose memory would be kept.
    const kept = operands.map(({ dtype, layout }) => ({ dtype, layout }));
    known.last.set(key[0], { operands: kept, reduction });
  }
  return launched(
    xp,
    reduction,
    operands.map(({ storage }) => storage),
    scalars,
  );
}

/** Returns whether a key consists of a function and of options that are not given. */
function isWithoutOptions(key: PlanKey): boolean {
  if (typeof key[0] !== "function") return false;
  for (let k = 1; k < key.length; k++) if (key[k] !== undefined && key[k] !== false) return false;
  return true;
}

/** Enqueues a reduction and returns its result. */
function launched(
  xp: ArraySource,
  { prepared, dtype, layout }: KnownReduction,
  reads: readonly Storage[],
  scalars: readonly ScalarValue[],
): ArrayRef {
  const memory: Storage["memory"][] = [];
  for (const storage of reads) memory.push(storage.memory);
  const values = scalars.length === 0 ? none : scalars.map(({ value }) => value);
  const result = newArray(xp, dtype, layout);
  try {
    launchReduction(xp, prepared, { memory, reads, values, target: result.operand().storage });
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
