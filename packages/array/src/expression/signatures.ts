/**
 * The dtypes in which operators compute, by NumPy's rules; types/results.ts has the same rules for the type checker.
 */
import { describe, wrongType } from "@cl/base";
import type { DTypeName } from "../types/dtype-name.js";
import {
  complexOf,
  floatingDType,
  floatingDTypeWithScalar,
  kindOf,
  promote,
  promoteAnyScalar,
  promoteScalar,
  quotientDType,
  realOf,
  scalarType,
  type WeakScalar,
} from "../types/promote.js";
import { type OperatorName, operators } from "./operators.js";

/** An operand of some type, or a value of the host. */
export type Given = { readonly dtype: DTypeName } | WeakScalar;

/** What the operands become, and what comes out. */
export interface Signature {
  readonly operands: readonly DTypeName[];
  readonly result: DTypeName;
}

/**
 * Returns the dtypes of an operator. Throws if it does not support the operands' dtypes, or if a scalar does not fit
 * the dtype of the arrays.
 */
export function signatureOf(operator: OperatorName, given: readonly Given[], names: readonly string[]): Signature {
  const rule = operators[operator];
  const all = (operand: DTypeName, result = operand): Signature => ({ operands: given.map(() => operand), result });
  const refuse = (takes: string): TypeError => {
    const types = given.map((one) => (isTyped(one) ? one.dtype : describe(one)));
    return wrongType(`${operator} ${takes}, received ${types.join(" and ")}`);
  };
  const joint = (): DTypeName => jointType(given, names, promoteScalar);
  const anyJoint = (): DTypeName => jointType(given, names, promoteAnyScalar);
  const real = (type: DTypeName): DTypeName => {
    if (kindOf(type) === 4) throw refuse("does not support complex numbers");
    return type;
  };
  switch (rule) {
    case "same":
      return all(joint());
    case "rounding":
      return all(real(joint()));
    case "number": {
      const type = joint();
      if (type !== "bool") return all(type);
      throw wrongType(
        `${operator} does not support bool; use the logical operators, or convert an operand with astype()`,
      );
    }
    case "power":
      return all(withoutBool(joint()));
    case "integer":
      return all(withoutBool(real(joint())));
    case "shift":
    case "integers":
    case "bits":
    case "count": {
      const type = joint();
      if (kindOf(type) > 2) throw refuse("supports only booleans and integers");
      if (rule === "integers" && type === "bool") throw refuse("supports only integers");
      if (rule === "count") return all(type, "uint8");
      return all(rule === "shift" ? withoutBool(type) : type);
    }
    case "division":
      return all(quotientDType(anyJoint()));
    case "special":
      return all(quotientDType(real(anyJoint())));
    case "complexSpecial":
      return all(complexOf(quotientDType(anyJoint())));
    case "doubles":
      return all(promote(anyJoint(), "float64"));
    case "floating":
      return all(floatingType(given, names));
    case "real":
      return all(real(floatingType(given, names)));
    case "angle": {
      const type = floatingType(given, names);
      return all(type, realOf(type));
    }
    case "exponent":
      return all(real(floatingType(given, names)), "int32");
    case "scale": {
      const [first, second] = given as readonly [Given, Given];
      // An integer scalar alone would be an integer.
      const mantissa = isTyped(first) ? first : { dtype: scalarType(first, names[0] as string) };
      const type = real(floatingType([mantissa], names));
      const exponent = isTyped(second) ? second.dtype : scalarType(second, names[1] as string);
      if (kindOf(exponent) > 2 || exponent === "uint64") {
        throw refuse("supports only integer exponents of at most int64");
      }
      return { operands: [type, exponent === "int64" || exponent === "uint32" ? "int64" : "int32"], result: type };
    }
    case "magnitude": {
      const type = joint();
      return all(type, realOf(type));
    }
    case "comparison":
    case "test":
      return all(joint(), "bool");
    case "realTest":
      return all(real(joint()), "bool");
    case "logical":
      // Scalars need not fit the arrays' dtype: they are converted to true or false.
      for (const [k, one] of given.entries()) if (!isTyped(one)) scalarType(one, names[k] as string);
      return all("bool");
    case "choice": {
      const type = jointType(given.slice(1), names.slice(1), promoteScalar);
      return { operands: ["bool", type, type], result: type };
    }
    case "complex": {
      const type = real(joint());
      return all(type, complexOf(type));
    }
    default:
      return rule satisfies never;
  }
}

/**
 * Returns the dtype to which arrays and scalars promote. Scalars alone get the dtype that they would have in an array.
 */
function jointType(given: readonly Given[], names: readonly string[], promoteWith: typeof promoteScalar): DTypeName {
  let type = arraysType(given, (one) => one);
  for (const [k, one] of given.entries()) {
    if (isTyped(one)) continue;
    const name = names[k] as string;
    type = type === undefined ? scalarType(one, name) : promoteWith(type, one, name);
  }
  return type as DTypeName;
}

/**
 * Each array's dtype becomes a floating-point one separately: int8 and uint8 fit into float16, though together they
 * need int16. With a fractional scalar integers become float64, and so does bool with any scalar.
 */
function floatingType(given: readonly Given[], names: readonly string[]): DTypeName {
  const joint = arraysType(given, (one) => one);
  if (joint === undefined) return floatingDType(jointType(given, names, promoteAnyScalar));
  let type = arraysType(given, floatingDType) as DTypeName;
  for (const [k, one] of given.entries()) {
    if (isTyped(one)) continue;
    const name = names[k] as string;
    const scalarResult = kindOf(joint) > 2 ? promoteScalar(type, one, name) : floatingDTypeWithScalar(joint, one, name);
    type = promote(type, scalarResult);
  }
  return type;
}

function arraysType(given: readonly Given[], typeOf: (type: DTypeName) => DTypeName): DTypeName | undefined {
  let type: DTypeName | undefined;
  for (const one of given) {
    if (isTyped(one)) type = type === undefined ? typeOf(one.dtype) : promote(type, typeOf(one.dtype));
  }
  return type;
}

/** Values of the host may be complex numbers, which are objects, too. */
export function isTyped(one: Given): one is { readonly dtype: DTypeName } {
  return typeof one === "object" && one !== null && "dtype" in one;
}

function withoutBool(type: DTypeName): DTypeName {
  return type === "bool" ? "int8" : type;
}
