/** Predicates of adjacent elements in OpenCL C: whether an element differs from the previous one. */
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import type { CheckedArguments } from "../user-kernels/kernel-arguments.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import type { PredicateTexts } from "./predicate-source.js";
import type { AnyArray } from "../storage/array-ref.js";

/** When `a` and `b` are the same value. With `alike` each NaN is, too. */
export function equality(dtype: DTypeName, alike: boolean): string {
  const kind = kindOf(dtype);
  if (kind < 3) return "a == b";
  if (kind === 3) return alike ? "a == b || (a != a && b != b)" : "a == b";
  const same = "(a.x == b.x && a.y == b.y)";
  return alike ? `${same} || ((a.x != a.x || a.y != a.y) && (b.x != b.x || b.y != b.y))` : same;
}

/** True for the first element of each run; `equal` compares the adjacent elements `a` and `b`. */
export function startsRun(item: Parameter, equal: string): Pick<PredicateTexts, "before" | "predicate"> {
  const { name } = item;
  return {
    before: `const ${valueType(item)} a = ${name}[i > 0 ? i - 1 : 0], b = ${name}[i];`,
    predicate: `i == 0 || !(${equal})`,
  };
}

/** The type of a variable with an element. */
export function valueType({ cType }: Parameter): string {
  return cType === "half" ? "float" : cType;
}

/** An array that is known to fit, as an argument. */
export function argumentOf(array: AnyArray, parameter: Parameter): CheckedArguments["arrays"][number] {
  const { storage, layout } = array.operand();
  return { parameter, storage, layout, itemSize: array.dtype.itemSize };
}
