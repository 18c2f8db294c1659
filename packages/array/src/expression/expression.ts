/**
 * What a kernel computes for each element, as a tree: inputs and values of the host, and operations on them, each with the
 * type of its result. Operators make such trees of one operation; a trace makes larger ones.
 */
import type { DTypeName } from "../types/dtype-name.js";
import type { OperatorName } from "./operators.js";

/** An element of an array: that at the place which is computed. */
export interface Input {
  readonly kind: "input";
  readonly index: number;
  readonly dtype: DTypeName;
}

/** A value of the host, which is an argument of the kernel, so that another value is no other kernel. */
export interface Scalar {
  readonly kind: "scalar";
  readonly index: number;
  readonly dtype: DTypeName;
}

/** The same value as another type. */
export interface Cast {
  readonly kind: "cast";
  readonly operand: Expression;
  readonly dtype: DTypeName;
}

/** What an operator makes of its operands, which have the type in which it computes. */
export interface Operation {
  readonly kind: "operation";
  readonly operator: OperatorName;
  readonly operands: readonly Expression[];
  readonly dtype: DTypeName;
}

/** A tree. The same object in several places is computed once. */
export type Expression = Input | Scalar | Cast | Operation;

/** The expression as a type: itself if it has that type already. */
export function cast(operand: Expression, dtype: DTypeName): Expression {
  return operand.dtype === dtype ? operand : { kind: "cast", operand, dtype };
}

/** A string that equal expressions share and others do not. */
export function keyOf(expression: Expression): string {
  switch (expression.kind) {
    case "input":
      return `x${expression.index}:${expression.dtype}`;
    case "scalar":
      return `s${expression.index}:${expression.dtype}`;
    case "cast":
      return `${expression.dtype}(${keyOf(expression.operand)})`;
    case "operation":
      return `${expression.operator}:${expression.dtype}(${expression.operands.map((operand) => keyOf(operand)).join()})`;
    default:
      return expression satisfies never;
  }
}
