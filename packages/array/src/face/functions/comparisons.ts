/** Comparisons of whole arrays, and comparisons with tolerances. */
import { checkBoolean, checkOptions } from "@cl/base";
import { operation, type Term, termOf } from "../../expression/build.js";
import type { Expression, ScalarValue } from "../../expression/expression.js";
import type { OperatorName } from "../../expression/operators.js";
import { signatureOf } from "../../expression/signatures.js";
import { isStandIn, notTraceable } from "../../tracing/trace.js";
import { reduceArray } from "../../reductions/reduce-array.js";
import { all } from "../../reductions/reducers/truths.js";
import { checkNumber } from "./operators.js";
import { withArrays } from "../../creation/operand-lists.js";
import { assign } from "../../elementwise/assign.js";
import { broadcastShapes } from "../../shapes/broadcast-shapes.js";
import { checkOut, isArray } from "../../storage/check-array.js";
import { buildChecked, type CheckedOperands, checkOperands, compute } from "../../elementwise/elementwise.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { OperandLike, OperandOrList, OutOptions } from "../../storage/operand-like.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of comparisons of whole arrays. */
export interface EqualOptions extends OutOptions {
  /**
   * Whether NaN equals NaN.
   * @defaultValue false
   */
  readonly equalNan?: boolean;
}

/** Tolerances of comparisons. */
export interface CloseOptions extends EqualOptions {
  /**
   * Relative tolerance, multiplied by `|y|`.
   * @defaultValue 1e-5
   */
  readonly rtol?: number;
  /**
   * Absolute tolerance.
   * @defaultValue 1e-8
   */
  readonly atol?: number;
}

/** Comparisons that are not operators. */
class ComparisonFunctions {
  /**
   * Returns where two arrays are equal within a tolerance: `|x - y| <= atol + rtol * |y|`, or both are the same
   * infinity.
   */
  isclose(this: Arrays, x: OperandOrList, y: OperandOrList, options?: CloseOptions): DeviceArray<"bool"> {
    const { close, out } = closeness(options);
    return asDeviceArray(
      withArrays(this, [x, y], names, (operands) => compute("isclose", operands, out, names, close)),
    );
  }

  /**
   * Returns whether {@link isclose} is true for all elements: an array without axes, computed in one pass. The operands
   * are broadcast together. The result is true if there are no elements.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 2, NaN], { dtype: "float32" });
   * const b = xp.array([1, 2.00001, NaN], { dtype: "float32" });
   * console.log(await xp.allclose(a, b).item()); // false
   * console.log(await xp.allclose(a, b, { equalNan: true }).item()); // true
   * ```
   */
  allclose(this: Arrays, x: OperandOrList, y: OperandOrList, options?: CloseOptions): DeviceArray<"bool"> {
    const { close, out } = closeness(options);
    return withArrays(this, [x, y], names, (operands) =>
      isEverywhere("allclose", checkOperands(operands, names), out, close),
    );
  }

  /**
   * Returns whether two arrays have the same shape and equal elements, as an array without axes. The dtypes may differ.
   * Operands are not broadcast; a host value has no axes.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.array([1, 2], { dtype: "int32" });
   * console.log(await xp.arrayEqual(a, a.astype("float32")).item()); // true
   * console.log(await xp.arrayEqual(a, a.reshape([2, 1])).item()); // false
   * ```
   */
  arrayEqual(this: Arrays, x: OperandOrList, y: OperandOrList, options?: EqualOptions): DeviceArray<"bool"> {
    const { equalNan, out } = checkOptions(options, ["equalNan", "out"]);
    const isNanEqual = checkBoolean(equalNan, "options.equalNan", false);
    return withArrays(this, [x, y], names, (operands) => {
      const checked = checkOperands(operands, names);
      if (checked.inputs.some(isStandIn)) throw notTraceable("arrayEqual");
      if (new Set(operands.map(shapeOf)).size > 1) return falseFor(checked, out);
      return isEverywhere("arrayEqual", checked, out, (terms, scalars) => {
        const equal = operation("equal", terms, scalars, names);
        return isNanEqual ? orBothNan(equal, terms, scalars) : equal;
      });
    });
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends ComparisonFunctions {}
}
addComputations(Arrays, ComparisonFunctions);

const names = ["x", "y"] as const;

type Build = (terms: readonly Term[], scalars: ScalarValue[]) => Expression;

/** Returns what builds the expression of `isclose`. */
function closeness(options: CloseOptions | undefined): { readonly close: Build; readonly out: AnyArray | undefined } {
  const { rtol = 1e-5, atol = 1e-8, equalNan, out } = checkOptions(options, ["rtol", "atol", "equalNan", "out"]);
  checkNumber(rtol, "options.rtol");
  checkNumber(atol, "options.atol");
  const isNanEqual = checkBoolean(equalNan, "options.equalNan", false);
  const close: Build = (terms, scalars) => {
    const op = (operator: OperatorName, ...of: readonly Term[]): Expression => operation(operator, of, scalars);
    const { result } = signatureOf("divide", terms, names);
    const [a, b] = terms.map((term) => termOf(term, result, scalars)) as [Expression, Expression];
    const near = op(
      "lessEqual",
      op("absolute", op("subtract", a, b)),
      op("add", op("multiply", op("absolute", b), rtol), atol),
    );
    const equal = op("where", op("logicalAnd", op("isfinite", a), op("isfinite", b)), near, op("equal", a, b));
    return isNanEqual ? orBothNan(equal, [a, b], scalars) : equal;
  };
  return { close, out };
}

function orBothNan(equal: Expression, terms: readonly Term[], scalars: ScalarValue[]): Expression {
  const [a, b] = terms.map((term) => operation("isnan", [term], scalars)) as [Expression, Expression];
  return operation("logicalOr", [equal, operation("logicalAnd", [a, b], scalars)], scalars);
}

/** Returns whether an expression is true for all elements; its values are not stored. */
function isEverywhere(
  operator: string,
  operands: CheckedOperands,
  out: AnyArray | undefined,
  build: Build,
): DeviceArray<"bool"> {
  const { expressions, scalars } = buildChecked(operator, operands, (terms, values) => [build(terms, values)]);
  const [value] = expressions as [Expression];
  const { inputs } = operands;
  const reduction = { ...all("bool"), name: operator };
  const [first, ...others] = inputs as [AnyArray, ...AnyArray[]];
  if (inputs.some(isStandIn)) {
    return asDeviceArray(reduceArray({ reduction, value, inputs: [first, ...others], scalars }, { out }));
  }
  using broadcast = (first as DeviceArray).broadcastTo(broadcastShapes(inputs.map(({ shape }) => shape)));
  return asDeviceArray(reduceArray({ reduction, value, inputs: [broadcast, ...others], scalars }, { out }));
}

function shapeOf(operand: OperandLike): string {
  return isArray(operand) ? String(operand.operand().layout.shape) : "";
}

/** Returns false, for operands of different shapes. */
function falseFor({ xp }: CheckedOperands, out: AnyArray | undefined): DeviceArray<"bool"> {
  if (out === undefined) return asDeviceArray(xp.full([], false, { dtype: "bool" }));
  const target = checkOut(out, xp, [], "bool", "arrayEqual");
  using result = xp.full([], false, { dtype: "bool" });
  assign(target, result);
  return target as DeviceArray<"bool">;
}
