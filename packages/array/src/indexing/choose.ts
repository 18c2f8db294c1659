/** One of several values for each element: by its number, or by the first condition that is true. */
import { outOfRange, typeError, wrongType } from "@cl/core/checks";
import type { AnyArray } from "../array/any-array.js";
import type { OperandLike, OutOptions } from "../array/array-operators.js";
import { checkArray } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { compute } from "../array/elementwise.js";
import { operation, type Term } from "../expression/build.js";
import type { Expression, ScalarValue } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { checkMode, type OutOfRangeMode } from "./along-axis.js";

/** The choice whose number each element is. All choices and the numbers are broadcast together, in one kernel. */
export function choose<R extends DTypeName>(
  numbers: AnyArray,
  choices: readonly AnyArray[],
  options: OutOptions & { readonly mode?: OutOfRangeMode },
): DeviceArray<R> {
  const mode = checkMode(options.mode);
  checkList(choices, "choices");
  for (const [i, one] of choices.entries()) checkArray(one, numbers.xp, `choices[${i}]`);
  const kind = kindOf(numbers.dtype.name);
  if (kind !== 1 && kind !== 2) throw wrongType(`choose is for integers, but the elements are ${numbers.dtype.name}`);
  // Taken from their own range, numbers are checked, wrapped or clipped.
  using range = numbers.xp.arange(choices.length, { dtype: "int32" });
  using which = range.take(numbers as AnyArray & { readonly dtype: (typeof range)["dtype"] }, { mode });
  const names = ["this", ...choices.map((_, i) => `choices[${i}]`)];
  return compute("choose", [which, ...choices], options.out, names, ([number, ...terms], scalars) => {
    const conditions = terms.slice(0, -1).map((_, i) => operation("equal", [number as Term, i], scalars));
    return nested(conditions, terms.slice(0, -1), terms.at(-1) as Term, scalars);
  });
}

/** The choice of the first condition that is true; `otherwise` where none is. */
export function select<R extends DTypeName>(
  conditions: readonly AnyArray[],
  choices: readonly OperandLike[],
  otherwise: OperandLike,
  options: OutOptions,
): DeviceArray<R> {
  checkList(conditions, "conditions");
  checkList(choices, "choices");
  if (conditions.length !== choices.length) {
    throw outOfRange(`there are ${conditions.length} conditions, but ${choices.length} choices`);
  }
  const names = [
    ...conditions.map((_, i) => `conditions[${i}]`),
    ...choices.map((_, i) => `choices[${i}]`),
    "options.otherwise",
  ];
  for (const [i, condition] of conditions.entries()) {
    if (condition?.dtype?.name !== "bool") throw typeError(`conditions[${i}]`, "an array of booleans", condition);
  }
  return compute("select", [...conditions, ...choices, otherwise], options.out, names, (terms, scalars) => {
    const count = conditions.length;
    return nested(terms.slice(0, count), terms.slice(count, 2 * count), terms.at(-1) as Term, scalars);
  });
}

/** Conditions from the first to the last. */
function nested(
  conditions: readonly Term[],
  choices: readonly Term[],
  otherwise: Term,
  scalars: ScalarValue[],
): Expression {
  let result = otherwise;
  for (let i = conditions.length - 1; i >= 0; i--) {
    result = operation("where", [conditions[i] as Term, choices[i] as Term, result], scalars, ["condition", "x", "y"]);
  }
  return result as Expression;
}

function checkList(list: readonly unknown[], name: string): void {
  if (!Array.isArray(list)) throw typeError(name, "a list of arrays", list);
  if (list.length === 0) throw outOfRange(`${name} must be one at least`);
}
