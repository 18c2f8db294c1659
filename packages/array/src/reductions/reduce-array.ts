/** Eager reductions of arrays: validates axes and options, allocates the result, and enqueues the kernels. */
import { broadcastLayout, checkBoolean, type Layout, outOfRange, sizeOf, wrongType } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { checkArray, checkOut } from "../storage/check-array.js";
import { checkAxes } from "../shapes/check-axes.js";
import { termOf } from "../expression/build.js";
import { type Expression, input, nodesOf } from "../expression/expression.js";
import { isStandIn } from "../tracing/trace.js";
import { computeType } from "../kernels/compute-type.js";
import type { Operand } from "../storage/operand.js";
import { shareBytes } from "../storage/overlap.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf, promoteScalar, type WeakScalar } from "../types/promote.js";
import type { Reduction } from "../expression/reduction.js";
import { isPending, withCombined } from "../lazy/combined-pass.js";
import { keyOfCall, keyOfOperands, noteCall, repeatReduction } from "./repeat-reduction.js";
import { prepareReduction, runReduction } from "./run-reduction.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { ArrayReduction, InitialOptions, ReduceOptions, WhereOptions } from "../expression/passes.js";

/** Reduces. All inputs have the first one's shape, or are broadcast to it. */
export function reduceArray<R extends DTypeName>(
  given: ArrayReduction,
  options: ReduceOptions & WhereOptions & InitialOptions,
): ArrayRef<R> {
  const standIn = given.inputs.find((one) => isStandIn(one));
  if (standIn !== undefined) return standIn.trace.reduce(given, options) as ArrayRef<R>;
  const what = options.initial === undefined ? given : withInitial(given, options.initial);
  if (what.inputs.some(isPending)) {
    return withCombined<ArrayRef<R>>(what, options.out === undefined, {
      repeat: ({ xp, expressions, operands, scalars }) => {
        const key = keyOfOperands(what, options, expressions[0] as Expression, operands);
        return key === undefined ? undefined : (repeatReduction(key, xp, operands, scalars) as ArrayRef<R> | undefined);
      },
      run: (combined) => reduceArray({ ...what, ...combined }, { ...options, initial: undefined }),
    });
  }
  const key = keyOfCall(what, options);
  const again =
    key === undefined
      ? undefined
      : repeatReduction(
          key,
          what.inputs[0].xp,
          what.inputs.map((array) => array.operand()),
          what.scalars,
        );
  if (again !== undefined) return again as ArrayRef<R>;
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
    runReduction(xp, task, operands, scalars, place);
    if (key !== undefined && into.size > 0) {
      noteCall(key, into, prepareReduction(xp.queue, task, operands, scalars, place));
    }
  };
  if (target !== undefined && !operands.some((operand) => overlap(operand, target.operand()))) {
    run(target);
    return target as ArrayRef<R>;
  }
  const result = xp.empty(resultShape, { dtype: type });
  try {
    run(result);
    if (target !== undefined) assign(target, result);
  } catch (error) {
    result.release();
    throw error;
  }
  if (target === undefined) return result as ArrayRef<R>;
  result.release();
  return target as ArrayRef<R>;

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
