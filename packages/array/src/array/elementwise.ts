/** The eager operators: an expression of one operation, with NumPy's promotion and broadcasting, run at once. */
import { checkOptions, outOfRange, wrongType } from "@cl/core/checks";
import { broadcastLayout } from "@cl/core/layouts";
import { cast, type Expression } from "../expression/expression.js";
import { type OperatorName, operators, operatorTypes } from "../expression/operators.js";
import { type Operand, runExpression, type ScalarValue } from "../kernels/run-expression.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { canStore, kindOf, promote, promoteScalar, type WeakScalar } from "../types/promote.js";
import { assign, sharesOtherPlaces } from "./assign.js";
import { broadcastShapes } from "./broadcast-shapes.js";
import type { AnyArray } from "./any-array.js";
import { checkArray, checkWritable } from "./check-array.js";
import type { DeviceArray, OperandLike, OutOptions } from "./device-array.js";

/** Applies an operator to operands, the first of which is an array. */
export function apply<R extends DTypeName>(
  operator: OperatorName,
  operands: readonly [AnyArray, ...OperandLike[]],
  options: OutOptions | undefined,
): DeviceArray<R> {
  const { out } = checkOptions(options);
  const [{ xp }] = operands;
  const list = operands.map((operand) => (isArray(operand) ? checkArray(operand, xp, "other") : operand));
  const arrays = list.filter((operand) => isArray(operand));
  const types = typesOf(operator, list, arrays);
  for (const type of [types.operand, types.result]) checkComputable(xp.queue.device, type, operator);
  const shape = broadcastShapes(arrays.map((array) => array.shape));
  const target = out === undefined ? undefined : checkOut(out, xp, shape, types.result, operator);

  const inputs = [...new Set(arrays)];
  const scalars: ScalarValue[] = [];
  const nodes = new Map(
    inputs.map((array, index): [AnyArray, Expression] => {
      const input: Expression = { kind: "input", index, dtype: array.dtype.name };
      return [array, types.mixed ? input : cast(input, types.operand)];
    }),
  );
  const expression: Expression = {
    kind: "operation",
    operator,
    operands: list.map((operand) => {
      if (isArray(operand)) return nodes.get(operand) as Expression;
      return scalarNode(operand, types.operand, scalars);
    }),
    dtype: types.result,
  };
  const places = inputs.map((array): Operand => {
    const operand = array.operand();
    return { ...operand, layout: broadcastLayout(operand.layout, shape) };
  });
  if (target === undefined) {
    const result = xp.empty(shape, { dtype: types.result });
    try {
      runExpression(xp.queue, expression, places, scalars, result.operand());
    } catch (error) {
      result.release();
      throw error;
    }
    return result as AnyArray as DeviceArray<R>;
  }
  const place = target.operand();
  if (places.some((input) => sharesOtherPlaces(input, place))) {
    using temporary = xp.empty(shape, { dtype: types.result });
    runExpression(xp.queue, expression, places, scalars, temporary.operand());
    assign(target, temporary);
  } else {
    runExpression(xp.queue, cast(expression, target.dtype.name), places, scalars, place);
  }
  return target as DeviceArray<R>;
}

/** Whatever else an object is, checks say. */
function isArray(operand: OperandLike): operand is AnyArray {
  return typeof operand === "object" && operand !== null;
}

interface Types {
  readonly operand: DTypeName;
  readonly result: DTypeName;
  /** Integers of 64 bits with and without a sign are compared as they are: no type holds the values of both. */
  readonly mixed: boolean;
}

function typesOf(operator: OperatorName, operands: readonly OperandLike[], arrays: readonly AnyArray[]): Types {
  const names = arrays.map(({ dtype }) => dtype.name);
  if (operators[operator] === "comparison" && names.includes("uint64") && names.some((name) => kindOf(name) === 2)) {
    return { operand: "uint64", result: "bool", mixed: true };
  }
  let type = names.reduce((one, other) => promote(one, other));
  for (const operand of operands) {
    if (isArray(operand)) continue;
    type = promoteScalar(type, operand, "other");
  }
  return { ...operatorTypes(operator, type), mixed: false };
}

/** Rounded or cut to the type here, so that the kernel's argument is of the type in which it is computed. */
function scalarNode(value: WeakScalar, dtype: DTypeName, into: ScalarValue[]): Expression {
  const argument = (type: DTypeName, given: number | bigint): Expression => {
    into.push({ dtype: type, value: given });
    return { kind: "scalar", index: into.length - 1, dtype: type };
  };
  if (dtype === "bool") return argument(dtype, value === 0 || value === 0n || value === false ? 0 : 1);
  if (dtype === "int64" || dtype === "uint64") return argument(dtype, BigInt(value));
  if (dtype === "float64") return argument(dtype, Number(value));
  if (dtype === "float16") return cast(argument("float32", Math.fround(Number(value))), dtype);
  return argument(dtype, kindOf(dtype) === 3 ? Math.fround(Number(value)) : Number(value));
}

function checkOut(
  value: AnyArray,
  xp: AnyArray["xp"],
  shape: readonly number[],
  result: DTypeName,
  operator: OperatorName,
): AnyArray {
  const out = checkArray(value, xp, "options.out");
  checkWritable(out);
  if (String(out.shape) !== String(shape)) {
    throw outOfRange(`options.out has the shape [${out.shape.join()}], but ${operator} gives [${shape.join()}]`);
  }
  if (!canStore(result, out.dtype.name)) {
    throw wrongType(
      `options.out is ${out.dtype.name}, which cannot store the ${typeNamed(result).name} of ${operator}`,
    );
  }
  return out;
}
