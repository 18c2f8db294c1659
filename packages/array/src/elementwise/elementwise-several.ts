/** Operations with several results, computed by one kernel. */
import { outOfRange, typeError, wrongValue } from "@cl/base";
import type { Term } from "../expression/build.js";
import { cast, type Expression, type ScalarValue } from "../expression/expression.js";
import { runExpressions } from "../kernels/run-expression.js";
import type { Operand } from "../storage/operand.js";
import { trace } from "../tracing/trace.js";
import { shareBytes } from "../storage/overlap.js";
import { typeNamed } from "../types/dtype-name.js";
import { assign, sharesOtherPlaces } from "./assign.js";
import { checkOut } from "../storage/check-array.js";
import type { Operation } from "../lazy/operation.js";
import { combined } from "../lazy/pending-value.js";
import { prepare } from "./elementwise.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { OperandLike } from "../storage/operand-like.js";

/** Computes what `build` makes of operands. `out` has a place for each result, or none where memory is new. */
export function computeSeveral(
  operator: string,
  operands: readonly OperandLike[],
  out: readonly (AnyArray | undefined)[] | undefined,
  names: readonly string[],
  build: (terms: readonly Term[], scalars: ScalarValue[]) => readonly Expression[],
): AnyArray[] {
  return trace(operator, operands, out ?? [], build) ?? store(operator, prepare(operator, operands, names, build), out);
}

/** Computes what was prepared, into places for each result, or none where memory is new. */
export function store(
  operator: string,
  operation: Operation,
  out: readonly (AnyArray | undefined)[] | undefined,
): AnyArray[] {
  const { xp, shape } = operation;
  const list: unknown = out;
  if (list !== undefined && !Array.isArray(list)) throw typeError("options.out", "a list of arrays", list);
  if (out !== undefined && out.length !== operation.expressions.length) {
    throw outOfRange(
      `options.out must have ${operation.expressions.length} elements, one for each result of ${operator}`,
    );
  }
  const given = operation.expressions.map(({ dtype }, k) => {
    const one = out?.[k];
    return one === undefined ? undefined : checkOut(one, xp, shape, dtype, operator);
  });
  checkApart(given.filter((one) => one !== undefined).map((one) => one.operand()));
  const { expressions, operands, scalars } = combined(operation);
  // What shares other bytes with an operand is stored when all were read.
  const later = given.map(
    (one) => one !== undefined && operands.some((place) => sharesOtherPlaces(place, one.operand())),
  );
  const fresh: ArrayRef[] = [];
  const targets = expressions.map(({ dtype }, k): AnyArray => {
    const one = given[k];
    if (one !== undefined && later[k] === false) return one;
    fresh.push(xp.empty(shape, { dtype }));
    return fresh.at(-1) as AnyArray;
  });
  try {
    const converted = expressions.map((one, k) => cast(one, (targets[k] as AnyArray).dtype.name));
    const to = targets.map((one) => one.operand()) as [Operand, ...Operand[]];
    runExpressions(xp.queue, converted, operands, scalars, to);
  } catch (error) {
    for (const one of fresh) one.release();
    throw error;
  }
  return targets.map((target, k) => {
    const one = given[k];
    if (one === undefined || one === target) return target;
    assign(one, target);
    target.release();
    return one;
  });
}

/** Throws if results that are stored in arrays of the caller would overwrite each other. */
export function checkApart(targets: readonly Operand[]): void {
  for (const [k, one] of targets.entries()) {
    for (const other of targets.slice(0, k)) {
      const width = Math.max(typeNamed(one.dtype).itemSize, typeNamed(other.dtype).itemSize);
      if (shareBytes(one, other, width)) {
        throw wrongValue("the arrays of options.out must not share memory");
      }
    }
  }
}
