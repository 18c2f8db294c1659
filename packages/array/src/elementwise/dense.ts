/**
 * The fast path of operators: contiguous operands of one shape, and scalars, all on one in-order queue. The launch plan
 * is looked up by operator and types alone, without building, comparing or collapsing anything. At 64 elements the slow
 * path takes 9 µs, this one 0.4 µs more than the launch.
 */
import { contiguousLayout, memoizePerObject } from "@cl/base";
import { type Expression, nodesOf, type ScalarValue } from "../expression/expression.js";
import type { OperatorName } from "../expression/operators.js";
import { type ElementwisePlan, planOf } from "../kernels/elementwise-plan.js";
import { pendingOfType } from "../lazy/pending-value.js";
import { Storage } from "../storage/storage.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { isArray, isPromised } from "../storage/check-array.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import type { OperandLike } from "../storage/operand-like.js";

/** The launch plan of an operator for operands of certain types. */
interface Recipe {
  readonly plan: ElementwisePlan;
  readonly expressions: readonly [Expression];
  /** The dtype of a number among the operands. */
  readonly scalar: DTypeName | undefined;
  readonly dtypes: readonly [TypedDType<DTypeName>];
  /** The dtypes and kinds of the operands. */
  readonly sorts: readonly [unknown, unknown, unknown];
}

/**
 * A cache of launch plans, by operator and operand types. A lookup takes 30 ns. A plan by layouts, as in LaunchPlans, would make the
 * first call of each shape take the slow path (6 µs).
 */
class Recipes {
  readonly #all = new Map<OperatorName, Map<unknown, Map<unknown, Map<unknown, Recipe>>>>();
  /** The plan that was found last for each operator: four lookups less (20 ns) for a call like the previous one. */
  readonly #latest = new Map<OperatorName, Recipe>();

  /** Returns the plan of a call, if stored. */
  find(operator: OperatorName, first: AnyArray, second?: unknown, third?: unknown): Recipe | undefined {
    const { dtype } = first;
    const [sort2, sort3] = [sortOf(second, first), sortOf(third, first)];
    const latest = this.#latest.get(operator);
    if (latest !== undefined) {
      const { sorts } = latest;
      if (sorts[0] === dtype && sorts[1] === sort2 && sorts[2] === sort3) return latest;
    }
    const recipe = this.#all.get(operator)?.get(dtype)?.get(sort2)?.get(sort3);
    if (recipe !== undefined) this.#latest.set(operator, recipe);
    return recipe;
  }

  /** Stores the plan of a call. */
  note(recipe: Recipe, operator: OperatorName): void {
    const [first, second, third] = recipe.sorts;
    mapIn(mapIn(mapIn(this.#all, operator), first), second).set(third, recipe);
  }
}

const recipesOf = memoizePerObject<ArraySource, Recipes>(() => new Recipes());

function mapIn<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = map.get(key) ?? new Map<L, V>();
  map.set(key, known);
  return known;
}

/** Stores a call's plan if similar calls can reuse it. */
export function noteRecipe(
  operator: OperatorName,
  operands: readonly OperandLike[],
  expression: Expression,
  scalars: readonly ScalarValue[],
): void {
  const [first, second, third] = operands as readonly [AnyArray, OperandLike?, OperandLike?];
  const arrays = operands.filter(isArray);
  if (arrays.length < operands.length) {
    // Values of the host are only followed where each gives the same expression, with itself as the only argument.
    const { name } = (arrays.at(-1) as AnyArray).dtype;
    if (kindOf(name) !== 3 || operator === "power" || scalars.length !== 1) return;
    if (scalars[0]?.dtype !== (name === "float16" ? "float32" : name)) return;
    if (!operands.every((one) => isArray(one) || typeof one === "number")) return;
  }
  const { xp } = first;
  for (const { dtype } of nodesOf([expression])) checkComputable(xp.queue.device, dtype, operator);
  const recipe = {
    plan: planOf(xp.queue, [expression]),
    expressions: [expression],
    scalar: scalars[0]?.dtype,
    dtypes: [typeNamed(expression.dtype)],
    sorts: [first.dtype, sortOf(second, first), sortOf(third, first)],
  } as const;
  recipesOf(xp).note(recipe, operator);
}

/** Returns the dtype of an array operand, or the kind of any other operand next to `first`. */
function sortOf(operand: unknown, first: AnyArray): unknown {
  if (operand === undefined) return "none";
  if (typeof operand === "number") return "number";
  if (!isArray(operand)) return "value";
  return operand === first ? "same" : operand.dtype;
}

const maxElements = 2 ** 31 - 4096;

/** The result, or undefined where the short way does not go. It checks nothing that the long way does not check. */
export function applyDense(
  operator: OperatorName,
  first: AnyArray,
  second: OperandLike | undefined,
  third: OperandLike | undefined,
  out: AnyArray | undefined,
): AnyArray | undefined {
  const recipe = recipesOf(first.xp).find(operator, first, second, third);
  return recipe === undefined ? undefined : applyRecipe(recipe, first, second, third, out);
}

function applyRecipe(
  recipe: Recipe,
  first: AnyArray,
  second: OperandLike | undefined,
  third: OperandLike | undefined,
  out: AnyArray | undefined,
): AnyArray | undefined {
  const { plan, dtypes } = recipe;
  const outs = out === undefined ? undefined : [out];
  if (third !== undefined) return applyToThree(recipe, first, second as OperandLike, third, outs);
  if (second === undefined || second === first) return runDense(plan, dtypes, [first], none, outs)?.[0];
  if (isArray(second)) return runDense(plan, dtypes, [first, second], none, outs)?.[0];
  return runDense(plan, dtypes, [first], [rounded(second as number, first)], outs)?.[0];
}

/**
 * Returns the result of a lazy call that is like an earlier one: pending, or computed if others can change an operand at any time.
 * `undefined` if the call must be checked.
 */
export function applySimilar(operator: OperatorName, first: AnyArray, second: unknown): AnyArray | undefined {
  const { xp } = first;
  if (xp.eager || !first.isDense || first.size === 0) return undefined;
  const recipe = recipesOf(xp).find(operator, first, second);
  if (recipe === undefined) return undefined;
  const other = isArray(second) && second !== first ? second : undefined;
  if (other !== undefined && !isDenseAs(other, first)) return undefined;
  const operand = first.operand();
  if (operand.storage.isShared || other?.operand().storage.isShared === true) {
    return applyRecipe(recipe, first, second as OperandLike | undefined, undefined, undefined);
  }
  const { expressions } = recipe;
  const [dtype] = recipe.dtypes;
  const { shape } = operand.layout;
  if (other !== undefined) {
    return pendingOfType({ xp, expressions, scalars: none, operands: [operand, other.operand()], shape }, dtype);
  }
  const scalars =
    typeof second === "number" ? [{ value: rounded(second, first), dtype: recipe.scalar as DTypeName }] : none;
  return pendingOfType({ xp, expressions, scalars, operands: [operand], shape }, dtype);
}

/** Of the last two, one at most is a number. */
function applyToThree(
  { plan, dtypes }: Recipe,
  first: AnyArray,
  second: OperandLike,
  third: OperandLike,
  outs: readonly (AnyArray | undefined)[] | undefined,
): AnyArray | undefined {
  if (!isArray(second)) {
    const last = third as AnyArray;
    return runDense(plan, dtypes, [first, last], [rounded(second as number, last)], outs)?.[0];
  }
  if (isArray(third)) return runDense(plan, dtypes, [first, second, third], none, outs)?.[0];
  return runDense(plan, dtypes, [first, second], [rounded(third as number, second)], outs)?.[0];
}

const none: readonly never[] = [];

/**
 * Launches a plan for contiguous operands of one shape on one in-order queue; `dtypes` are the results'. Returns
 * undefined if the operands do not qualify.
 */
export function runDense(
  plan: ElementwisePlan,
  dtypes: readonly TypedDType<DTypeName>[],
  inputs: readonly AnyArray[],
  values: readonly (number | bigint)[],
  outs: readonly (AnyArray | undefined)[] | undefined,
): AnyArray[] | undefined {
  const first = inputs[0] as AnyArray;
  for (const one of inputs) if (!isReady(one, first)) return undefined;
  if (first.size === 0 || first.size > maxElements) return undefined;
  if (outs !== undefined && !areFit(outs, dtypes, inputs)) return undefined;
  const { queue } = first.xp;
  const { kernel, sizes, count } = plan.dense(first.size);
  const results = dtypes.map((dtype, k) => outs?.[k] ?? emptyLike(first, dtype));
  const args: unknown[] = [];
  for (const one of inputs) args.push(one.operand().storage.memory);
  for (const one of results) {
    const { storage } = one.operand();
    // Other queues must wait for the launch.
    storage.ordering.keepsItself(queue);
    args.push(storage.memory);
  }
  for (const value of values) args.push(value);
  args.push(count);
  try {
    kernel.ready()?.launch(queue, sizes, ...args);
  } catch (error) {
    for (const [k, one] of results.entries()) if (outs?.[k] === undefined) one.release();
    throw error;
  }
  return results;
}

/** True if results can go there as they are: in other memory than operands, or in the very same places. */
function areFit(
  outs: readonly (AnyArray | undefined)[],
  dtypes: readonly TypedDType<DTypeName>[],
  inputs: readonly AnyArray[],
): boolean {
  const first = inputs[0] as AnyArray;
  if (outs.length !== dtypes.length) return false;
  for (let k = 0; k < outs.length; k++) {
    const out = outs[k];
    if (out === undefined) continue;
    if (!isArray(out)) return false;
    out.operand().storage.computeReaders();
    if (out.dtype !== dtypes[k] || out.readonly || isPromised(out) || !isReady(out, first)) return false;
    for (const one of inputs) if (isOtherView(one, out)) return false;
    for (let j = 0; j < k; j++) if (outs[j]?.operand().storage.meets(out.operand().storage) === true) return false;
  }
  return true;
}

/** True for an array like the first that this queue alone has used. */
function isReady(array: AnyArray, first: AnyArray): boolean {
  return isDenseAs(array, first) && array.operand().storage.ordering.keepsItself(first.xp.queue);
}

/** True for a contiguous array of the same factory and shape as the first. */
function isDenseAs(array: AnyArray, first: AnyArray): boolean {
  return array.isDense && array.xp === first.xp && isSameShape(array.shape, first.shape);
}

/** Returns whether two shapes have the same extents. */
export function isSameShape(one: readonly number[], other: readonly number[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let axis = 0; axis < one.length; axis++) if (one[axis] !== other[axis]) return false;
  return true;
}

function isOtherView(array: AnyArray, out: AnyArray): boolean {
  const [storage, target] = [array.operand().storage, out.operand().storage];
  return storage === target ? array.dtype.itemSize !== out.dtype.itemSize : storage.meets(target);
}

/** As the kernel's argument is rounded: what is too large is infinite then. */
function rounded(value: number, { dtype }: AnyArray): number {
  return dtype.name === "float64" ? value : Math.fround(value);
}

/** New memory for as many elements, with the layout of the array where that is the same. */
function emptyLike(array: AnyArray, dtype: TypedDType<DTypeName>): AnyArray {
  const { xp } = array;
  const { layout } = array.operand();
  const own = dtype.itemSize === array.dtype.itemSize ? layout : contiguousLayout(layout.shape, dtype.itemSize);
  return xp.wrap(new Storage(xp.allocator, array.size * dtype.itemSize), dtype, own);
}
