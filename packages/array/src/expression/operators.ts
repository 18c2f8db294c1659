/** The operators: what each does to element types. What they are in OpenCL C is in kernels/operator-code.ts. */
import { wrongType } from "@cl/core/checks";
import type { DTypeName } from "../types/dtype-name.js";
import { divided, floating, kindOf } from "../types/promote.js";

/** How an operator's types come about; its operands were promoted to one type before. */
type Rule =
  /** The type stays. */
  | "same"
  /** The type stays, and booleans have no such operation. */
  | "number"
  /** The type stays, and booleans count as int8. */
  | "integer"
  /** Booleans and integers. */
  | "bits"
  /** Integers become float64. */
  | "division"
  /** Integers become the smallest float that holds them. */
  | "floating"
  /** Integers and booleans stay as they are and nothing happens to them; floats are rounded. */
  | "rounding"
  /** The result is boolean, operands keep their type. */
  | "comparison"
  /** Operands and result are boolean. */
  | "logical";

/** Every operator with its {@link Rule}. */
export const operators = {
  add: "same",
  subtract: "number",
  multiply: "same",
  divide: "division",
  floorDivide: "integer",
  remainder: "integer",
  maximum: "same",
  minimum: "same",
  equal: "comparison",
  notEqual: "comparison",
  less: "comparison",
  lessEqual: "comparison",
  greater: "comparison",
  greaterEqual: "comparison",
  logicalAnd: "logical",
  logicalOr: "logical",
  logicalXor: "logical",
  logicalNot: "logical",
  bitwiseAnd: "bits",
  bitwiseOr: "bits",
  bitwiseXor: "bits",
  invert: "bits",
  negative: "number",
  absolute: "same",
  sqrt: "floating",
  exp: "floating",
  log: "floating",
  sin: "floating",
  cos: "floating",
  tan: "floating",
  tanh: "floating",
  floor: "rounding",
  ceil: "rounding",
  trunc: "rounding",
} as const;

/** The name of an operator. */
export type OperatorName = keyof typeof operators;

/** What an operator computes in and what comes out. */
export interface OperatorTypes {
  readonly operand: DTypeName;
  readonly result: DTypeName;
}

/** The types of an operator whose operands promote to `type`. */
export function operatorTypes(operator: OperatorName, type: DTypeName): OperatorTypes {
  const rule: Rule = operators[operator];
  const both = (one: DTypeName): OperatorTypes => ({ operand: one, result: one });
  switch (rule) {
    case "same":
    case "rounding":
      return both(type);
    case "number":
      if (type === "bool") {
        throw wrongType(`${operator} is not there for bool: use the logical operators, or astype() an operand`);
      }
      return both(type);
    case "integer":
      return both(type === "bool" ? "int8" : type);
    case "bits":
      if (kindOf(type) > 2) throw wrongType(`${operator} takes booleans and integers, but the operands are ${type}`);
      return both(type);
    case "division":
      return both(divided(type));
    case "floating":
      return both(floating(type));
    case "comparison":
      return { operand: type, result: "bool" };
    case "logical":
      return both("bool");
    default:
      return rule satisfies never;
  }
}
