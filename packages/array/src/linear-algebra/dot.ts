/** Sums of products as one kernel: the products are never stored. */
import { outOfRange } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import { operation } from "../expression/build.js";
import { cast, type Expression, input } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, promote } from "../types/promote.js";
import { dotOverAxes } from "./tensor-products.js";
import { reduceBy } from "../reductions/reduce-array.js";
import { repeatLast } from "../reductions/repeat-reduction.js";
import { dotted } from "../reductions/reducers/sums.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** The sum of products of vectors of one length, and of those along axes of more. */
export function dot<R extends DTypeName>(one: AnyArray, other: AnyArray, out: AnyArray | undefined): ArrayRef<R> {
  checkArray(other, one.xp, "other");
  if (one.ndim !== 1 || other.ndim !== 1) return dotOverAxes(one, other, out);
  if (one.size !== other.size) {
    throw outOfRange(`dot needs vectors of equal length, received shapes [${one.size}] and [${other.size}]`);
  }
  return products(one, other, out, false);
}

/** The same of all elements in C order, those of the first conjugated. */
export function vdot<R extends DTypeName>(one: AnyArray, other: AnyArray, out: AnyArray | undefined): ArrayRef<R> {
  checkArray(other, one.xp, "other");
  if (one.size !== other.size) {
    throw outOfRange(
      `vdot needs arrays of equal size, received shapes [${one.shape.join()}] and [${other.shape.join()}]`,
    );
  }
  if (String(one.shape) === String(other.shape)) return products(one, other, out, true);
  using a = one.ravel();
  using b = other.ravel();
  return products(a, b, out, true);
}

function products<R extends DTypeName>(
  one: AnyArray,
  other: AnyArray,
  out: AnyArray | undefined,
  conjugate: boolean,
): ArrayRef<R> {
  if (out === undefined && !conjugate) {
    const repeated = repeatLast(products, one, one === other ? undefined : other);
    if (repeated !== undefined) return repeated as ArrayRef<R>;
  }
  const inputs: readonly [AnyArray, ...AnyArray[]] = one === other ? [one] : [one, other];
  return reduceBy([products, conjugate], inputs, { out }, () => {
    const dtype = promote(one.dtype.name, other.dtype.name);
    // Products of halves are not rounded before they are added.
    const type = dtype === "float16" ? "float32" : dtype;
    const first = cast(input(0, one.dtype.name), type);
    const second = cast(input(inputs.length - 1, other.dtype.name), type);
    const value = product(conjugate && kindOf(type) === 4 ? operation("conj", [first], []) : first, second);
    return { reduction: dotted(type), value, inputs, dtype };
  });
}

function product(one: Expression, other: Expression): Expression {
  return operation("multiply", [one, other], []);
}
