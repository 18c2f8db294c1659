/** Eager reductions of arrays: validates axes and options, allocates the result, and enqueues the kernels. */
import { broadcastLayout, checkBoolean, type Layout, outOfRange, sizeOf, wrongType } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { checkArray, checkOut } from "../storage/check-array.js";
import { checkAxes } from "../shapes/check-axes.js";
import { termOf } from "../expression/build.js";
import { input, nodesOf, type ScalarValue } from "../expression/expression.js";
import { isStandIn } from "../tracing/trace.js";
import { computeType } from "../kernels/compute-type.js";
import type { PlanKey } from "../kernels/launch-plans.js";
import type { Operand } from "../storage/operand.js";
import { shareBytes } from "../storage/overlap.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf, promoteScalar, type WeakScalar } from "../types/promote.js";
import type { Reduction } from "../expression/reduction.js";
import { isPending, withCombined } from "../lazy/combined-pass.js";
import { keyOfCall, noteReduction, repeatReduction } from "./repeat-reduction.js";
import { runReduction } from "./run-reduction.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { ArrayReduction, InitialOptions, ReduceOptions, WhereOptions } from "../expression/passes.js";

type Options = ReduceOptions & WhereOptions & InitialOptions;

/** Reduces. All inputs have the first one's shape, or are broadcast to it. */
export function reduceArray<R extends DTypeName>(what: ArrayReduction, options: Options): ArrayRef<R> {
  return reduceBy([what.reduction.key, what.value, what.dtype], what.inputs, options, () => what, what.scalars);
}

/**
 * Reduces inputs as `describe` says, which is not called if plans are known. Calls with the same operation may differ in
 * the inputs, the options and the values of scalars.
 */
export function reduceBy<R extends DTypeName>(
  operation: PlanKey,
  inputs: ArrayReduction["inputs"],
  options: Options,
  describe: () => ArrayReduction,
  scalars: readonly ScalarValue[] = [],
): ArrayRef<R> {
  const key = keyOfCall(operation, options);
  const operands = key && readyOperands(inputs);
  const repeated = operands && repeatReduction(key, inputs[0].xp, operands, scalars);
  return (repeated ?? reduceAnew(describe(), options, operands && key)) as ArrayRef<R>;
}

/** Returns the operands of a call whose plan may be known: arrays of one factory that have elements and are not pending. */
function readyOperands(inputs: ArrayReduction["inputs"]): readonly Operand[] | undefined {
  const { xp } = inputs[0];
  const operands: Operand[] = [];
  for (const array of inputs) {
    if (isStandIn(array) || array.xp !== xp || array.size === 0 || isPending(array)) return undefined;
    operands.push(array.operand());
  }
  return operands;
}

function reduceAnew(what: ArrayReduction, options: Options, key: PlanKey | undefined): ArrayRef {
  const standIn = what.inputs.find((one) => isStandIn(one));
  if (standIn !== undefined) return standIn.trace.reduce(what, options);
  if (options.initial !== undefined) {
    return reduceArray(withInitial(what, options.initial), { ...options, initial: undefined });
  }
  if (what.inputs.some(isPending)) {
    return withCombined<ArrayRef>(what, options.out === undefined, {
      repeat: ({ xp, expressions, operands, scalars }) => {
        const own = keyOfCall([what.reduction.key, expressions[0], what.dtype], options);
        return own && repeatReduction(own, xp, operands, scalars);
      },
      run: (combined) => reduceArray({ ...what, ...combined }, options),
    });
  }
  const { axis, keepDims, out, where } = options;
  const { reduction, value, scalars = [] } = what;
  const [first] = what.inputs;
  const { xp, shape } = first;
  const { device } = xp.queue;
  const { name } = reduction;
  const axes = reducedAxes(axis, shape.length);
  const keep = checkBoolean(keepDims, "options.keepDims", false);
  const type = what.dtype ?? reduction.result;
  for (const node of nodesOf([value])) checkReal(node.dtype);
  checkReal(type);
  const condition = where === undefined ? undefined : checkCondition(where, first);
  const inputs = condition === undefined ? what.inputs : [...what.inputs, condition];
  if (what.needsElements === true && sizeOf(axes.map((one) => shape[one] as number)) === 0) {
    const left = shape.filter((_, one) => !axes.includes(one));
    if (sizeOf(left) > 0) throw outOfRange(`${name} needs at least one element, received shape [${shape.join()}]`);
  }
  const resultShape = shape.flatMap((extent, one) => (axes.includes(one) ? (keep ? [1] : []) : [extent]));
  const target = out === undefined ? undefined : checkOut(out, xp, resultShape, type, name);
  const operands = inputs.map((array): Operand => {
    const operand = array.operand();
    return { ...operand, layout: broadcastLayout(operand.layout, shape, "the array's shape") };
  });
  const task = {
    reduction,
    stage: { value, where: condition === undefined ? undefined : input(inputs.length - 1, "bool") },
    axes,
  };
  const run = (into: AnyArray): void => {
    const operand = into.operand();
    const place = { ...operand, layout: keep ? without(operand.layout, axes) : operand.layout };
    const prepared = runReduction(xp, task, operands, scalars, place);
    if (key === undefined || prepared === undefined) return;
    noteReduction(
      key,
      inputs.map((array) => array.operand()),
      into,
      prepared,
    );
  };
  if (target !== undefined && !operands.some((operand) => overlap(operand, target.operand()))) {
    run(target);
    return target;
  }
  const result = xp.empty(resultShape, { dtype: type });
  try {
    run(result);
    if (target !== undefined) assign(target, result);
  } catch (error) {
    result.release();
    throw error;
  }
  if (target === undefined) return result;
  result.release();
  return target;

  /** Complex numbers are pairs here, so only their parts must be there. */
  function checkReal(dtype: DTypeName): void {
    checkComputable(device, typeNamed(dtype).base.name as DTypeName, name);
  }
}

/** The same with a value of the host in front, which is an argument of the kernels. */
function withInitial(what: ArrayReduction, initial: WeakScalar): ArrayReduction {
  const { reduction, value } = what;
  const kind = kindOf(value.dtype);
  const scalars = [...(what.scalars ?? [])];
  promoteScalar(value.dtype, initial, "options.initial");
  const isFraction = kind < 3 && typeof initial === "number" && !Number.isInteger(initial);
  if (isFraction || (kind < 4 && typeof initial === "object")) {
    const shown = typeof initial === "object" ? "complex" : initial;
    throw wrongType(
      `options.initial must be representable in ${value.dtype}, received ${shown}; set a dtype that can hold it`,
    );
  }
  termOf(initial, value.dtype, scalars);
  const last = scalars.length - 1;
  // The parts of a complex number are separate arguments.
  const text = kind === 4 ? `(${computeType(value.dtype)})(s${last - 1}, s${last})` : `s${last}`;
  const first = reduction.lift(text, "0");
  const combined: Reduction = {
    ...reduction,
    key: `${reduction.key}+${scalars.length - 1}`,
    finish: (accumulator, count) => reduction.finish(`reduction_combine(${first}, ${accumulator})`, count),
  };
  return { ...what, reduction: combined, scalars, needsElements: false };
}

/** The axes that go, counted from the first. An array without axes may be asked for its first or last one. */
export function reducedAxes(axis: number | readonly number[] | undefined, ndim: number): readonly number[] {
  if (axis === undefined) return Array.from({ length: ndim }, (_, one) => one);
  if (ndim === 0 && (axis === 0 || axis === -1)) return [];
  return checkAxes(axis, ndim, "options.axis");
}

function checkCondition(where: AnyArray, array: AnyArray): AnyArray {
  const condition = checkArray(where, array.xp, "options.where");
  if (condition.dtype.name === "bool") return condition;
  throw wrongType(`options.where must be an array of bool, received ${condition.dtype.name}`);
}

function without({ shape, strides, offset }: Layout, axes: readonly number[]): Layout {
  const stays = (_: number, axis: number): boolean => !axes.includes(axis);
  return { shape: shape.filter(stays), strides: strides.filter(stays), offset };
}

function overlap(one: Operand, other: Operand): boolean {
  const widest = Math.max(typeNamed(one.dtype).itemSize, typeNamed(other.dtype).itemSize);
  return shareBytes(one, other, widest);
}
