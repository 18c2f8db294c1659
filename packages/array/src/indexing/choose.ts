/** Selection of one of several values for each element: by index, or by the first true condition. */
import { checkList, outOfRange, typeError, wrongType } from "@cl/base";
import { compute } from "../elementwise/elementwise.js";
import { operation, type Term, termOf } from "../expression/build.js";
import type { Expression, ScalarValue } from "../expression/expression.js";
import { signatureOf } from "../expression/signatures.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { checkMode, type OutOfRangeMode } from "./along-axis.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { OperandOrList, OutOptions } from "../storage/operand-like.js";
import { withArrays } from "../creation/operand-lists.js";
import { range } from "../creation/range.js";
import type { IntegerArray } from "./index-types.js";
import { take } from "./take.js";

/** The choice whose number each element is. All choices and the numbers are broadcast together, in one kernel. */
export function choose<R extends DTypeName>(
  numbers: AnyArray,
  choices: readonly OperandOrList[],
  options: OutOptions & { readonly mode?: OutOfRangeMode },
): ArrayRef<R> {
  const mode = checkMode(options.mode);
  checkArrays(choices, "choices");
  const kind = kindOf(numbers.dtype.name);
  if (kind !== 1 && kind !== 2) throw wrongType(`choose needs an array of integers, received ${numbers.dtype.name}`);
  // Taken from their own range, numbers are checked, wrapped or clipped.
  using numbered = range(numbers.xp, 0, choices.length, 1, typeNamed("int32"));
  using which = take(numbered, numbers as IntegerArray, { mode });
  const names = ["this", ...choices.map((_, i) => `choices[${i}]`)];
  return withArrays(undefined, [which, ...choices], names, (operands) =>
    compute("choose", operands, options.out, names, ([number, ...terms], scalars) => {
      // A kernel reads all of its operands, so that a single choice has a condition, too.
      const listed = terms.length === 1 ? terms : terms.slice(0, -1);
      const conditions = listed.map((_, i) => operation("equal", [number as Term, i], scalars));
      return nested(conditions, listed, terms.at(-1) as Term, scalars, names.slice(1));
    }),
  );
}

/** The choice of the first condition that is true; `otherwise` where none is. */
export function select<R extends DTypeName>(
  conditions: readonly AnyArray[],
  choices: readonly OperandOrList[],
  otherwise: OperandOrList,
  options: OutOptions,
): ArrayRef<R> {
  checkArrays(conditions, "conditions");
  checkArrays(choices, "choices");
  if (conditions.length !== choices.length) {
    throw outOfRange(
      `conditions and choices must have the same length, received ${conditions.length} and ${choices.length}`,
    );
  }
  const names = [
    ...conditions.map((_, i) => `conditions[${i}]`),
    ...choices.map((_, i) => `choices[${i}]`),
    "options.otherwise",
  ];
  for (const [i, condition] of conditions.entries()) {
    if (condition?.dtype?.name !== "bool") throw typeError(`conditions[${i}]`, "an array of booleans", condition);
  }
  return withArrays(undefined, [...conditions, ...choices, otherwise], names, (operands) =>
    compute("select", operands, options.out, names, (terms, scalars) => {
      const count = conditions.length;
      return nested(terms.slice(0, count), terms.slice(count, -1), terms.at(-1) as Term, scalars, names.slice(count));
    }),
  );
}

/** The choice of the first condition that is true, in the type that all choices promote to; `names` are the choices'. */
function nested(
  conditions: readonly Term[],
  choices: readonly Term[],
  otherwise: Term,
  scalars: ScalarValue[],
  names: readonly string[],
): Expression {
  const { result: type } = signatureOf("where", [true, ...choices, otherwise], ["condition", ...names]);
  return conditions.reduceRight<Expression>(
    (rest, condition, i) =>
      operation("where", [condition, termOf(choices[i] as Term, type, scalars), rest], scalars, [
        "condition",
        "x",
        "y",
      ]),
    termOf(otherwise, type, scalars),
  );
}

function checkArrays(list: readonly unknown[], name: string): void {
  if (checkList(list, name, "a list of arrays").length === 0) {
    throw outOfRange(`${name} must have at least one element`);
  }
}
