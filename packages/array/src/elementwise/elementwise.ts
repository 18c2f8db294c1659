/** The eager operators: an expression of one operation, with NumPy's promotion and broadcasting, run immediately. */
import { broadcastLayout, checkOptions, typeError } from "@cl/base";
import { operation as operationOf, type Term } from "../expression/build.js";
import { cast, type Expression, input, nodesOf, type ScalarValue } from "../expression/expression.js";
import type { OperatorName } from "../expression/operators.js";
import type { Operand } from "../storage/operand.js";
import { runExpressions } from "../kernels/run-expression.js";
import { isStandIn, trace } from "../tracing/trace.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { checkHostValue } from "../types/promote.js";
import type { Operation } from "../lazy/operation.js";
import { canWait, combined, pendingArray } from "../lazy/pending-value.js";
import { assign, sharesOtherPlaces } from "./assign.js";
import { filled } from "../storage/filled.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, checkOut, isArray } from "../storage/check-array.js";
import { applyDense, isSameShape, noteRecipe, applySimilar } from "./dense.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { OperandLike, OutOptions } from "../storage/operand-like.js";

const methodNames = ["this", "other"] as const;

/** Applies an operator to operands, one of which at least is an array; `names` are theirs in errors. */
export function apply<R extends DTypeName>(
  operator: OperatorName,
  operands: readonly OperandLike[],
  options: OutOptions | undefined,
  names: readonly string[] = methodNames,
): ArrayRef<R> {
  const [first, second, third] = operands;
  // Of three operands, an array that comes twice is one input, which no recipe tells.
  const isShort = isArray(first) && (third === undefined || (first !== second && third !== first && third !== second));
  const checked = checkOptions(options, ["out"]);
  if (isShort) {
    const short =
      checked.out !== undefined || first.xp.eager
        ? applyDense(operator, first, second, third, checked.out)
        : third === undefined && applySimilar(operator, first, second);
    if (short) return short as ArrayRef<R>;
  }
  return compute(operator, operands, checked.out, names, (terms, scalars) => {
    const expression = operationOf(operator, terms, scalars, names);
    if (isShort && !operands.some(isStandIn)) noteRecipe(operator, operands, expression, scalars);
    return expression;
  });
}

/** Computes what `build` makes of operands, one of which at least is an array, into `out` or new memory. */
export function compute<R extends DTypeName>(
  operator: string,
  operands: readonly OperandLike[],
  out: AnyArray | undefined,
  names: readonly string[],
  build: (terms: readonly Term[], scalars: ScalarValue[]) => Expression,
): ArrayRef<R> {
  const traced = trace(operator, operands, [out], (terms, into) => [build(terms, into)]);
  if (traced !== undefined) return traced[0] as ArrayRef<R>;
  const operation = prepare(operator, operands, names, (terms, into) => [build(terms, into)]);
  const { xp, shape } = operation;
  const { dtype } = operation.expressions[0] as Expression;
  if (out === undefined) {
    if (canWait(operation)) return pendingArray(operation);
    return filled(xp.empty(shape, { dtype: dtype as R }), (result) => {
      runExpressions(xp.queue, operation.expressions, operation.operands, operation.scalars, [result.operand()]);
    });
  }
  const target = checkOut(out, xp, shape, dtype, operator);
  const place = target.operand();
  const { expressions, operands: inputs, scalars } = combined(operation);
  if (inputs.some((operand) => sharesOtherPlaces(operand, place))) {
    using temporary = xp.empty(shape, { dtype });
    runExpressions(xp.queue, expressions, inputs, scalars, [temporary.operand()]);
    assign(target, temporary);
  } else {
    runExpressions(xp.queue, [cast(expressions[0] as Expression, target.dtype.name)], inputs, scalars, [place]);
  }
  return target as ArrayRef<R>;
}

/** Checks operands, and makes expressions of them. */
export function prepare(
  operator: string,
  operands: readonly OperandLike[],
  names: readonly string[],
  build: (terms: readonly Term[], scalars: ScalarValue[]) => readonly Expression[],
): Operation {
  const checked = checkOperands(operands, names);
  const { expressions, scalars } = buildChecked(operator, checked, build);
  return { xp: checked.xp, expressions, scalars, ...broadcastTogether(checked.inputs) };
}

/** Builds expressions of operands. Throws if the device cannot compute them. */
export function buildChecked(
  operator: string,
  { xp, terms }: CheckedOperands,
  build: (terms: readonly Term[], scalars: ScalarValue[]) => readonly Expression[],
): Pick<Operation, "expressions" | "scalars"> {
  const scalars: ScalarValue[] = [];
  const expressions = build(terms, scalars);
  for (const { dtype } of nodesOf(expressions)) checkComputable(xp.queue.device, dtype, operator);
  return { expressions, scalars };
}

/** Operands, checked: arrays are inputs of an expression, each once; `terms` are the operands of its operations. */
export interface CheckedOperands {
  readonly xp: AnyArray["xp"];
  readonly inputs: readonly AnyArray[];
  readonly terms: readonly Term[];
}

/** Checks operands, one of which at least is an array. */
export function checkOperands(operands: readonly OperandLike[], names: readonly string[]): CheckedOperands {
  const { xp } = firstArray(operands, names);
  const inputs: AnyArray[] = [];
  const terms = operands.map((operand, k): Term => {
    if (!isArray(operand)) return checkHostValue(operand, names[k] as string);
    const array = checkArray(operand, xp, names[k] as string);
    const known = inputs.indexOf(array);
    return input(known < 0 ? inputs.push(array) - 1 : known, array.dtype.name);
  });
  return { xp, inputs, terms };
}

/** Returns arrays as kernel operands, broadcast to a common shape. Layouts that have the shape stay the same objects. */
export function broadcastTogether(arrays: readonly AnyArray[]): Pick<Operation, "operands" | "shape"> {
  const broadcast = broadcastShapes(arrays.map((array) => array.shape));
  const shape = arrays.find((array) => isSameShape(array.shape, broadcast))?.shape ?? broadcast;
  const operands = arrays.map((array): Operand => {
    const operand = array.operand();
    if (isSameShape(array.shape, shape)) return operand;
    return { ...operand, layout: broadcastLayout(operand.layout, shape) };
  });
  return { operands, shape };
}

/** The array whose queue and allocator are taken. */
function firstArray(operands: readonly OperandLike[], names: readonly string[]): AnyArray {
  for (const operand of operands) if (isArray(operand)) return operand;
  throw typeError(names.join(" or "), "a DeviceArray", operands[0]);
}
